import { useState } from "react";
import type { User } from "../../service/access.ts";
import { rest } from "../../service/http/rest.ts";
import { Choices } from "../../ui/forms/Choices.tsx";
import { Field } from "../../ui/forms/Field.tsx";
import { FormDialog } from "../../ui/forms/FormDialog.tsx";
import { SigningIn, type Flags, type SignUp } from "./SigningIn.tsx";
import { jsonOf } from "./jsonOf.ts";
import { t } from "../../words/words.ts";

export interface AccountDialogProps {
  /** Undefined for a new account. */
  readonly user: User | undefined;
  readonly users: readonly User[];
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
}

export function AccountDialog({ user, users, onClose, onDone }: AccountDialogProps) {
  const [name, setName] = useState("");
  const [email, setEmail] = useState(user?.email ?? "");
  const [groups, setGroups] = useState<readonly string[]>([user?.user_group ?? []].flat());
  const [password, setPassword] = useState("");
  const [properties, setProperties] = useState(JSON.stringify(user?.properties ?? {}));
  const [superuser, setSuperuser] = useState(user?.superuser ?? false);
  const [flags, setFlags] = useState<Flags>({
    email_verified: user?.email_verified ?? false,
    two_factor: user?.two_factor ?? false,
    default_user: user?.default_user ?? false,
  });
  const [signUp, setSignUp] = useState<SignUp>({
    allow_signup: user?.allow_signup ?? null,
    social_signup: user?.social_signup ?? null,
  });

  async function save(): Promise<void> {
    const members = {
      email: email === "" ? null : email,
      user_group: [...groups],
      properties: jsonOf<Record<string, unknown>>(properties, t("The properties are not JSON.")),
      superuser,
      ...changed(flags, user, false),
      ...(superuser && changed(signUp, user, null)),
      ...(password !== "" && { password }),
    };
    if (user) await rest.PATCH("/users/{names}", { params: { path: { names: user.name } }, body: members });
    else await rest.POST("/users", { body: { name, ...members } });
    await onDone();
  }

  return (
    <FormDialog
      title={user ? t("Change {name}", { name: user.name }) : t("Add an account")}
      action={user ? t("Save") : t("Add")}
      onClose={onClose}
      onSubmit={save}
    >
      {!user && (
        <Field label={t("Name")} hint={t("a-z, 0-9, _ and -")}>
          <input required autoFocus name="name" value={name} onChange={({ target }) => setName(target.value)} />
        </Field>
      )}
      <Choices
        name="user_group"
        legend={t("Groups, whose rights the account inherits")}
        names={users.map((each) => each.name).filter((each) => each !== user?.name && each !== "anonymous")}
        chosen={groups}
        onChange={setGroups}
      />
      <Field label={t("E-mail")}>
        <input type="email" name="email" value={email} onChange={({ target }) => setEmail(target.value)} />
      </Field>
      <Password isNew={user === undefined} {...{ password, setPassword }} />
      <Field label={t("Properties")} hint={t("A JSON object, of which policies and rules may ask")}>
        <textarea
          name="properties"
          rows={2}
          spellCheck={false}
          value={properties}
          onChange={({ target }) => setProperties(target.value)}
        />
      </Field>
      <label>
        <input
          type="checkbox"
          name="superuser"
          checked={superuser}
          onChange={({ target }) => setSuperuser(target.checked)}
        />{" "}
        {t("Super user: every right on all exposed schemas; no rule applies")}
      </label>
      <SigningIn {...{ flags, setFlags, signUp, setSignUp }} ofDatabase={superuser} />
    </FormDialog>
  );
}

interface PasswordProps {
  readonly isNew: boolean;
  readonly password: string;
  readonly setPassword: (password: string) => void;
}

function Password({ isNew, password, setPassword }: PasswordProps) {
  return (
    <Field
      label={isNew ? t("Password") : t("New password")}
      hint={isNew ? t("Left empty: the account sets it by a link") : t("Left empty it stays")}
    >
      <input
        type="password"
        name="password"
        autoComplete="new-password"
        value={password}
        onChange={({ target }) => setPassword(target.value)}
      />
    </Field>
  );
}

/** The members that differ from those of the account. For a new account: those that differ from the default. */
function changed<T extends Flags | SignUp>(members: T, user: User | undefined, initial: false | null): Partial<T> {
  const differs = ([name, value]: [string, unknown]) => value !== (user ? user[name as keyof User] : initial);
  return Object.fromEntries(Object.entries(members).filter(differs)) as Partial<T>;
}
