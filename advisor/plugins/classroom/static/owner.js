// The key of whoever has started the server. It comes once, in the address that the server prints,
// and is kept out of those that the page writes, so that nobody passes it on with a position.

const KEPT = "owner-key";

function take() {
  const known = new URLSearchParams(location.hash.slice(1));
  const key = known.get("owner");
  if (key === null) return;
  known.delete("owner");
  sessionStorage.setItem(KEPT, key);
  history.replaceState(history.state, "", `#${known}`);
}

/** The key, null for everybody else. */
export const key = () => sessionStorage.getItem(KEPT);

take();
window.addEventListener("popstate", take); // where it is put into the address of this page
