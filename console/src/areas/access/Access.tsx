/** Who may do what, and why: for super users. */
import { Link, Outlet } from "@tanstack/react-router";
import { ForSuperUsers } from "../../ui/ForSuperUsers.tsx";

export function Access() {
  return (
    <ForSuperUsers>
      <div className="access">
        <nav aria-label="Access" className="tabs">
          <Link to="/access" activeOptions={{ exact: true }}>
            Accounts
          </Link>
          <Link to="/access/privileges">Privileges</Link>
          <Link to="/access/rules">Rules</Link>
          <Link to="/access/see">See as</Link>
          <Link to="/access/clients">Clients</Link>
          <Link to="/access/agents">Agents</Link>
        </nav>
        <Outlet />
      </div>
    </ForSuperUsers>
  );
}
