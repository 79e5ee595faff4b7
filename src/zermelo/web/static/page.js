// What every page has: the top bar, the theme, and small helpers to make elements.

const SVG = "http://www.w3.org/2000/svg";

export function el(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== undefined && child !== null));
  return node;
}

export const byId = (id) => document.getElementById(id);

export function say(text, bad = false) {
  byId("status").textContent = text;
  byId("status").classList.toggle("bad", bad);
  byId("progress")?.replaceChildren();
}

// What goes wrong is said; what was given up for something newer is not.
export const report = (error) => error.name === "AbortError" || say(error.message, true);

const PAGES = [
  ["./", "Play"],
  ["table.html", "Who wins?"],
  ["proof.html", "Proof"],
  ["campaign.html", "Campaign"],
  ["api.html", "API"],
];

function currentTheme() {
  return localStorage.getItem("theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

function applyTheme(theme) {
  document.documentElement.dataset.theme = theme;
  const button = byId("theme");
  if (button) {
    button.textContent = theme === "dark" ? "☀" : "☾";
    button.setAttribute("aria-label", theme === "dark" ? "Light colours" : "Dark colours");
  }
}

export function topBar() {
  const here = location.pathname.split("/").pop();
  const links = PAGES.map(([href, name]) => {
    const current = href.replace("./", "") === here.replace("index.html", "");
    return el("a", { href, "aria-current": current ? "page" : undefined }, name);
  });
  byId("top").append(
    el("a", { href: "./", class: "logo" }, el("img", { src: "icon.svg", alt: "", width: 28, height: 28 }), "Zermelo"),
    el("nav", { "aria-label": "Pages" }, ...links),
    el("button", { id: "theme", type: "button", class: "theme" }),
  );
  applyTheme(currentTheme());
  byId("theme").addEventListener("click", () => {
    const theme = currentTheme() === "dark" ? "light" : "dark";
    localStorage.setItem("theme", theme);
    applyTheme(theme);
  });
}

// The four marks, defined once and drawn with <use>: told apart by shape as well as by colour.
export function defineMarks() {
  const definition = (id, ...parts) => svg("symbol", { id, viewBox: "-12 -12 24 24", overflow: "visible" }, ...parts);
  const path = (name, d) => svg("path", { class: name, d });
  document.body.prepend(
    svg("svg", { class: "unseen", "aria-hidden": "true" },
      definition("mark-win", svg("circle", { class: "win-disc", r: 9 }), path("win-line", "M-4.5 .5l3 3.5 6-7.5")),
      definition("mark-draw", svg("rect", { class: "draw-disc", x: -8, y: -8, width: 16, height: 16, rx: 4 }), path("win-line", "M-4 -2.5h8M-4 2.5h8")),
      definition("mark-loss", svg("circle", { class: "loss-disc", r: 8 }), path("loss-line", "M-3.5 -3.5l7 7M3.5 -3.5l-7 7")),
      definition("mark-unknown", svg("circle", { class: "unknown-disc", r: 6 }), svg("text", { class: "unknown-text", y: 3.4 }, "?")),
    ),
  );
}

export const markSample = (mark) => svg("svg", { viewBox: "-12 -12 24 24", "aria-hidden": "true" }, svg("use", { href: `#mark-${mark}`, x: -12, y: -12, width: 24, height: 24 }));

export const MARK_WORDS = { win: "winning", draw: "draws", loss: "losing", unknown: "unknown yet" };

export function plural(count, one, many = `${one}s`) {
  return `${count} ${count === 1 ? one : many}`;
}

// Asks before something is lost.
export function confirmed(text, yes) {
  const dialog = byId("ask");
  byId("ask-text").textContent = text;
  byId("ask-yes").textContent = yes;
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true }));
}

// A button that copies a text, and says so.
export function copyButton(button, text) {
  const label = button.textContent;
  button.addEventListener("click", async () => {
    const copied = await Promise.resolve(text()).then((words) => navigator.clipboard.writeText(words)).then(() => true, () => false);
    button.textContent = copied ? "Copied" : "Not allowed here";
    setTimeout(() => (button.textContent = label), 1500);
  });
  return button;
}
