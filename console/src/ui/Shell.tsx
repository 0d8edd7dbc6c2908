/** The frame: where one is, who one is, and the way to everything else. */
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet } from "@tanstack/react-router";
import { schemas, version } from "../service/address.ts";
import { claimsOf, signIn, signOut, token, type Claims } from "../service/session.ts";
import { ErrorNote } from "./ErrorNote.tsx";

export function useAccount() {
  return useQuery({
    queryKey: ["account"],
    queryFn: async (): Promise<Claims | null> => {
      const bearer = await token();
      return bearer === undefined ? null : claimsOf(bearer);
    },
  });
}

export function Shell() {
  const account = useAccount();
  if (account.isPending) return <p className="empty">One moment …</p>;
  if (!account.data) return <Welcome error={account.error} />;
  const { sub, database, superUser = false } = account.data;
  return (
    <div className="shell">
      <a className="skip" href="#content">
        To the content
      </a>
      <header className="bar">
        <Link to="/" className="brand">
          Portolan
        </Link>
        <nav aria-label="Areas">
          <Link to="/data">Data</Link>
          <Link to="/history">History</Link>
          <Link to="/workflow">Workflow</Link>
          <Link to="/schema">Schema</Link>
          <Link to="/sql">SQL</Link>
          {superUser && <Link to="/access">Access</Link>}
          {superUser && <Link to="/audit">Audit</Link>}
          <Link to="/methods">Methods</Link>
          <Link to="/events">Events</Link>
          <Link to="/maps">Maps</Link>
        </nav>
        <span className="account">
          <Link to="/account">{sub}</Link> <span className="quiet">on {database}</span>
          <button type="button" className="plain" onClick={() => void signOut()}>
            Sign out
          </button>
        </span>
      </header>
      <main id="content" tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  );
}

function Welcome({ error }: { readonly error: Error | null }) {
  return (
    <main className="welcome">
      <h1>Portolan</h1>
      <p>
        {Object.keys(schemas).join(", ")} · version {version}
      </p>
      <ErrorNote error={error} />
      <button type="button" onClick={() => void signIn()}>
        Sign in
      </button>
    </main>
  );
}
