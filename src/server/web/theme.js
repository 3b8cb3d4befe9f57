// The switch between light, dark and the system's appearance on the pages of text. The web page keeps
// the choice in the same places (app.js).

const root = document.documentElement;
const names = ["", "light", "dark"];
const made = document.getElementById("theme");
made.hidden = false;
made.addEventListener("click", () => {
  const next = names[(names.indexOf(root.dataset.theme || "") + 1) % names.length];
  root.dataset.theme = next;
  document.cookie = `platen_theme=${next || "system"}; Path=/; Max-Age=31536000; SameSite=Lax`;
  try {
    localStorage.setItem("platen.theme", JSON.stringify(next || "system"));
  } catch {
    // The browser keeps nothing; the cookie, or nothing, does.
  }
});
