// Parts of every page: the top bar, the theme, and helpers to make elements.

import { address } from "./api.js";

const SVG = "http://www.w3.org/2000/svg";

export const el = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);
export const svg = (name, attributes = {}, ...children) => fill(document.createElementNS(SVG, name), attributes, children);

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

// Shows an error, unless a newer request aborted this one.
export const report = (error) => error.name === "AbortError" || say(capital(error.message), true);

// Storage of the browser; where there is none (in a frame of another site), values last as long as the page.
function storage(name) {
  const own = new Map();
  const tried = (action, otherwise) => { try { return action(window[name]); } catch { return otherwise(); } };
  return {
    get: (key) => tried((kept) => kept.getItem(key), () => own.get(key) ?? null),
    set: (key, text) => tried((kept) => kept.setItem(key, text), () => own.set(key, text)),
    remove: (key) => tried((kept) => kept.removeItem(key), () => own.delete(key)),
  };
}
export const always = storage("localStorage");
export const session = storage("sessionStorage");

const PAGES = { "./": "Play", "table.html": "Who wins?", "proof.html": "Proof", "campaign.html": "Campaign", "api.html": "API", "manual.html": "Docs" };
const ROOT = new URL("../../", import.meta.url); // Scripts are at kept/VERSION/.

const currentTheme = () => always.get("theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

function applyTheme(theme) {
  document.documentElement.dataset.theme = theme;
  byId("theme").textContent = theme === "dark" ? "☀" : "☾";
  byId("theme").setAttribute("aria-label", theme === "dark" ? "Light colours" : "Dark colours");
}

function topBar() {
  const here = location.pathname.split("/").pop();
  const links = Object.entries(PAGES).map(([href, name]) => {
    const current = href.replace("./", "") === here.replace("index.html", "");
    return el("a", { href: new URL(href, ROOT), "aria-current": current ? "page" : undefined }, name);
  });
  byId("top").append(
    el("a", { href: ROOT, class: "logo" }, el("img", { src: new URL("icon.svg", import.meta.url), alt: "", width: 28, height: 28 }), "Zermelo"),
    el("nav", { "aria-label": "Pages" }, ...links),
    el("button", { id: "theme", type: "button", class: "theme" }),
  );
  document.body.append(el("div", { id: "trouble", class: "trouble", role: "alert", hidden: true },
    el("span", { id: "trouble-words" }), " ", el("span", { id: "trouble-pause", "aria-hidden": "true" }), " ", el("button", { type: "button", id: "trouble-again" }, "Try now")));
  document.querySelector("main").tabIndex = -1; // Takes the focus that would be lost.
  applyTheme(currentTheme());
  byId("theme").addEventListener("click", () => {
    const theme = currentTheme() === "dark" ? "light" : "dark";
    always.set("theme", theme);
    applyTheme(theme);
  });
}

// The Play page in a frame of another site: the style sheet shows only the board, and links open outside the frame.
if (byId("open-page") && new URLSearchParams(location.search).get("embed") === "1") {
  document.documentElement.dataset.embed = "";
  document.addEventListener("click", ({ target }) => Object.assign(target.closest?.("a") ?? {}, { target: "_blank", rel: "noopener" }), true);
}
topBar();

// Lets a button act or not. It stays where the keyboard is: a disabled one would lose the focus.
export const allow = (id, on) => byId(id).setAttribute("aria-disabled", !on);
export const onPress = (id, action) => byId(id).addEventListener("click", () => byId(id).getAttribute("aria-disabled") === "true" || action());

// Enables a form after its script has filled it: text typed earlier would be lost.
export function ready(form) { for (const field of form.elements) field.disabled = false; }

// The four marks, defined once and drawn with <use>; they differ in shape as well as in colour.
export function defineMarks() {
  const definition = (id, ...parts) => svg("symbol", { id, viewBox: "-12 -12 24 24", overflow: "visible" }, ...parts);
  const path = (name, d) => svg("path", { class: name, d });
  document.body.prepend(
    svg("svg", { class: "unseen", "aria-hidden": "true" },
      definition("mark-win", svg("circle", { class: "win-disc", r: 10 }), path("win-line", "M-4.5 .5l3 3.5 6-7.5")),
      definition("mark-draw", svg("rect", { class: "draw-disc", x: -8, y: -8, width: 16, height: 16, rx: 4 }), path("win-line", "M-4 -2.5h8M-4 2.5h8")),
      definition("mark-loss", path("loss-line behind", "M-4 -4l8 8M4 -4l-8 8"), path("loss-line", "M-4 -4l8 8M4 -4l-8 8")),
      definition("mark-unknown", svg("circle", { class: "unknown-disc", r: 6 }), svg("text", { class: "unknown-text", y: 3.4 }, "?")),
    ),
  );
}

export const markSample = (mark) => svg("svg", { viewBox: "-12 -12 24 24", "aria-hidden": "true" }, svg("use", { href: `#mark-${mark}`, x: -12, y: -12, width: 24, height: 24 }));

export const MARK_WORDS = { win: "winning", draw: "draws", loss: "losing", unknown: "unknown yet" };

export const plural = (count, one, many = `${one}s`) => `${whole(count)} ${count === 1 ? one : many}`;
export const whole = (number) => new Intl.NumberFormat("en").format(number);
export const shorten = (text) => (text.length <= 40 ? text : `${text.slice(0, 39)}…`);
export const capital = (words) => words[0].toUpperCase() + words.slice(1);

export const options = (pairs) => pairs.map(([value, text]) => el("option", { value }, text));

// Asks the visitor before something is deleted.
export function confirmed(text, yes) {
  const dialog = byId("ask");
  byId("ask-text").textContent = text;
  byId("ask-yes").textContent = yes;
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true }));
}

export const dataAddress = (picture) => `data:image/svg+xml,${encodeURIComponent(picture)}`;

// Links that save a picture of the server in each form that it has.
export function pictureBar(path, query, name) {
  const forms = { SVG: "svg", PNG: "png", TikZ: "tex" };
  return el("div", { class: "bar pictures" }, ...Object.entries(forms).map(([label, file]) =>
    el("a", { class: "button", href: address(path, { ...query, file, save: true }), download: `${name}.${file}` }, label)));
}

// Makes a button copy a text, and say so.
export function copyButton(button, text) {
  const label = button.textContent;
  button.addEventListener("click", async () => {
    const copied = await Promise.resolve(text()).then((words) => navigator.clipboard.writeText(words)).then(() => true, () => false);
    button.textContent = copied ? "Copied" : "Not allowed here";
    setTimeout(() => (button.textContent = label), 1500);
  });
  return button;
}
