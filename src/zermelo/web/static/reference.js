// Shows the OpenAPI description of the server: each route with its parameters, its answer, and a button to try it.

import { address, getAnything, getJson } from "./api.js";
import { byId, el } from "./page.js";

const { paths, components } = await getJson("openapi.json");
const LONGEST = 20_000;

// Text with `code` in it.
const withCode = (text) => text.split("`").map((part, index) => (index % 2 ? el("code", {}, part) : part));

// The schema of an answer, each kind of object in it written out once.
function written(schema, seen = new Set()) {
  return JSON.stringify(schema, (_, value) => {
    const kind = value?.$ref?.split("/").pop();
    if (!kind || seen.has(kind)) return kind ?? value;
    seen.add(kind);
    return components.schemas[kind];
  }, 2);
}

function field(one) {
  const { schema } = one;
  const value = String(schema.examples?.[0] ?? one.example ?? (one.required ? schema.enum?.[0] : schema.default) ?? "");
  const input = schema.enum
    ? el("select", { name: one.name }, ...(one.required ? [] : [el("option", { value: "" }, "")]), ...schema.enum.map((choice) => el("option", { value: choice, selected: String(choice) === value }, String(choice))))
    : el("input", { name: one.name, value, autocomplete: "off", spellcheck: "false" });
  return el("label", {}, el("span", {}, el("code", {}, one.name), one.required ? "" : " (may be left out)"), input,
    el("span", { class: "hint" }, ...withCode(one.description ?? "")));
}

// Sends the question of a form and shows the answer: text or a picture.
async function attempt(path, method, form, box) {
  const entries = [...new FormData(form)].filter(([, value]) => value !== "" && !(value instanceof File));
  const inPath = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(entries.find(([key]) => key === name)?.[1] ?? "")).slice("/api/".length);
  const query = Object.fromEntries(entries.filter(([name]) => !path.includes(`{${name}}`)));
  const place = address(inPath, query);
  const link = el("a", { href: place }, el("code", {}, `/${place}`));
  box.replaceChildren(el("p", {}, link, " …"));
  const begin = performance.now();
  const options = method === "get" ? {} : { method, body: form.querySelector("[type=file]").files[0], headers: { "Content-Type": "application/octet-stream" } };
  const [status, media, text] = await getAnything(inPath, query, options);
  const head = el("p", {}, link, ` ${status}, ${media.split(";")[0]}, ${Math.round(performance.now() - begin)} ms`);
  if (media.startsWith("image/")) return box.replaceChildren(head, el("img", { src: place, alt: "The picture that was answered" }));
  const shown = media.includes("json") ? JSON.stringify(JSON.parse(text), null, 2) : text;
  box.replaceChildren(head, el("pre", { tabindex: 0, "aria-label": "Answer" }, shown.length > LONGEST ? `${shown.slice(0, LONGEST)}\n… ${shown.length} characters` : shown));
}

function route(path, verb, about) {
  const parameters = (about.parameters ?? []).filter((one) => one.in !== "header");
  const [media, content] = Object.entries(about.responses["200"]?.content ?? {})[0] ?? [];
  const box = el("div", { class: "answer", "aria-live": "polite" });
  const form = el("form", { class: "try" }, el("div", { class: "fields" }, ...parameters.map(field)),
    about.requestBody ? el("label", {}, "The body, a file that is sent as it is ", el("input", { type: "file", required: true })) : null,
    el("div", { class: "bar" }, el("button", { type: "submit", class: "main" }, "Try it")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(path, verb, form, box).catch((error) => box.replaceChildren(el("p", { class: "bad" }, error.message)));
  });
  return el("details", { class: "card route" },
    el("summary", {}, el("span", { class: "verb" }, verb.toUpperCase()), " ", el("code", {}, path), el("span", { class: "what" }, ...withCode(about.summary ?? ""))),
    about.description && about.description !== about.summary ? el("p", {}, ...withCode(about.description)) : null,
    form, box,
    content ? el("details", { class: "fold" }, el("summary", {}, `What it answers: ${media}`), el("pre", { tabindex: 0 }, written(content.schema))) : null,
  );
}

const routes = Object.entries(paths).flatMap(([path, verbs]) => Object.entries(verbs).map(([verb, about]) => [about.tags[0], route(path, verb, about)]));
byId("routes").replaceChildren(...[...Map.groupBy(routes, ([tag]) => tag)].flatMap(([tag, all]) => [el("h2", {}, tag), ...all.map(([, node]) => node)]));
