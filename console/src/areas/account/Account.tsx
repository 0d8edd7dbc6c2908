/** One's own account: e-mail, password, and where one is signed in. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { User } from "../../service/access.ts";
import { read, send } from "../../service/rest.ts";
import { signIn } from "../../service/session.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { Field } from "../../ui/Field.tsx";
import { useAccount } from "../../ui/useAccount.ts";
import { Sessions } from "./Sessions.tsx";

export function Account() {
  const { data: account } = useAccount();
  const name = account?.sub ?? "";
  const user = useQuery({
    queryKey: ["user", name],
    queryFn: ({ signal }) => read<User>(`/users/${encodeURIComponent(name)}`, signal),
  });
  return (
    <div className="text account-page">
      <h1>{name}</h1>
      <p className="quiet">
        on {account?.database}
        {user.data?.user_group && `, with the rights of ${user.data.user_group}`}
        {user.data?.superuser && ", a super user"}
      </p>
      <ErrorNote error={user.error} />
      {user.data && <Email key={user.data.email} user={user.data} />}
      <Password name={name} />
      <Sessions account={name} />
    </div>
  );
}

function Email({ user }: { readonly user: User }) {
  const client = useQueryClient();
  const [email, setEmail] = useState(user.email ?? "");
  const [failure, setFailure] = useState<Error | null>(null);
  const [said, setSaid] = useState("");

  async function save(): Promise<void> {
    try {
      await send("PATCH", `/users/${encodeURIComponent(user.name)}`, { email: email === "" ? null : email });
      setFailure(null);
      setSaid("The e-mail is saved.");
      await client.invalidateQueries({ queryKey: ["users"] });
    } catch (error) {
      setFailure(error as Error);
    }
  }

  return (
    <section aria-labelledby="email">
      <h2 id="email">E-mail</h2>
      <form
        className="tools"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <input
          type="email"
          aria-labelledby="email"
          autoComplete="email"
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
        <button type="submit">Save</button>
        <span aria-live="polite">{said}</span>
      </form>
      <ErrorNote error={failure} />
    </section>
  );
}

function Password({ name }: { readonly name: string }) {
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [again, setAgain] = useState("");
  const [failure, setFailure] = useState<Error | null>(null);
  const [isDone, setIsDone] = useState(false);

  async function save(): Promise<void> {
    if (next !== again) return setFailure(new Error("The two new passwords are not the same."));
    try {
      await send("PATCH", `/users/${encodeURIComponent(name)}`, { current_password: current, password: next });
      setFailure(null);
      setIsDone(true);
    } catch (error) {
      setFailure(error as Error);
    }
  }

  if (isDone)
    return (
      <section aria-label="Password">
        <p role="status">The password is changed. Every sign-in of this account has ended, this one too.</p>
        <button type="button" onClick={() => void signIn()}>
          Sign in again
        </button>
      </section>
    );
  return (
    <section aria-labelledby="password">
      <h2 id="password">Password</h2>
      <p className="quiet">With a new password every sign-in of this account ends, on all devices.</p>
      <form
        className="fields"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Field label="Current password">
          <input
            type="password"
            required
            autoComplete="current-password"
            value={current}
            onChange={({ target }) => setCurrent(target.value)}
          />
        </Field>
        <Field label="New password">
          <input
            type="password"
            required
            autoComplete="new-password"
            value={next}
            onChange={({ target }) => setNext(target.value)}
          />
        </Field>
        <Field label="New password again">
          <input
            type="password"
            required
            autoComplete="new-password"
            value={again}
            onChange={({ target }) => setAgain(target.value)}
          />
        </Field>
        <ErrorNote error={failure} />
        <div className="tools">
          <button type="submit">Change the password</button>
        </div>
      </form>
    </section>
  );
}
