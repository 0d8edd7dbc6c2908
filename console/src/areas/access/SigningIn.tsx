/** A super user's settings for the sign-in of an account, and for who else may sign in to the database. */
import type { User } from "../../service/access.ts";
import { Field } from "../../ui/forms/Field.tsx";
import { t } from "../../words/words.ts";

export type Flags = Pick<User, "email_verified" | "two_factor" | "default_user">;
export type SignUp = Pick<User, "allow_signup" | "social_signup">;

const FLAGS = [
  ["two_factor", t("It must have a second factor")],
  ["email_verified", t("The e-mail address is known to be its own")],
  ["default_user", t("Guest tokens are for this account; not for a super user")],
] as const;
const SIGN_UP = [
  ["allow_signup", t("People may sign up in this database"), t("As the option signUp says")],
  ["social_signup", t("Other providers may bring new people"), t("Where people may sign up")],
] as const;

export interface SigningInProps {
  readonly flags: Flags;
  readonly setFlags: (flags: Flags) => void;
  readonly signUp: SignUp;
  readonly setSignUp: (signUp: SignUp) => void;
  /** Whether the account is a super user, whose settings apply to the database too. */
  readonly ofDatabase: boolean;
}

export function SigningIn({ flags, setFlags, signUp, setSignUp, ofDatabase }: SigningInProps) {
  return (
    <details>
      <summary>{t("Signing in")}</summary>
      <div className="fields">
        {FLAGS.map(([member, text]) => (
          <label key={member}>
            <input
              type="checkbox"
              name={member}
              checked={flags[member]}
              onChange={({ target }) => setFlags({ ...flags, [member]: target.checked })}
            />{" "}
            {text}
          </label>
        ))}
        {ofDatabase &&
          SIGN_UP.map(([member, label, unset]) => (
            <Field key={member} label={label}>
              <select
                name={member}
                value={String(signUp[member])}
                onChange={({ target }) =>
                  setSignUp({ ...signUp, [member]: JSON.parse(target.value) as boolean | null })
                }
              >
                <option value="null">{unset}</option>
                <option value="true">{t("Yes")}</option>
                <option value="false">{t("No")}</option>
              </select>
            </Field>
          ))}
      </div>
    </details>
  );
}
