// Shows the OpenAPI description of the server: each route with its parameters, its answer, and a button to try it.

import { getJson } from "./api.js";
import { byId, el } from "./page.js";

const { paths, components } = await getJson("openapi.json");
const LONGEST = 20_000;

function typeOf(schema = {}) {
  if (schema.$ref) return schema.$ref.split("/").pop();
  if (schema.enum) return schema.enum.map(String).join(" | ");
  if (schema.const !== undefined) return String(schema.const);
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(" or ");
  if (schema.type === "array") return `list of ${typeOf(schema.items ?? schema.prefixItems[0])}`;
  if (schema.additionalProperties && schema.additionalProperties !== true) return `map to ${typeOf(schema.additionalProperties)}`;
  return schema.type ?? "anything";
}

// Text with `code` in it.
const withCode = (text) => text.split("`").map((part, index) => (index % 2 ? el("code", {}, part) : part));

// The fields of an answer and of the objects in it, each kind once.
function fields(schema, seen = new Set()) {
  const inner = [schema, ...(schema.anyOf ?? [])].flatMap((one) => [one, one.items, one.additionalProperties]).find((one) => one?.$ref)?.$ref;
  if (!inner || seen.has(inner)) return [];
  seen.add(inner);
  const about = components.schemas[inner.split("/").pop()];
  const properties = Object.entries(about.properties ?? {});
  return [
    el("h3", {}, inner.split("/").pop()),
    about.description ? el("p", { class: "hint" }, ...withCode(about.description)) : null,
    el("dl", { class: "schema" }, ...properties.flatMap(([name, one]) => [
      el("dt", {}, el("code", {}, name), ` ${typeOf(one)}`),
      el("dd", {}, ...withCode(one.description ?? "")),
    ])),
    ...properties.flatMap(([, one]) => fields(one, seen)),
  ];
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

// Sends the question of a form and shows the answer: text, a picture, or the first events of a stream.
async function attempt(path, form, box) {
  const entries = [...new FormData(form)].filter(([, value]) => value !== "");
  const inPath = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(entries.find(([key]) => key === name)?.[1] ?? ""));
  const query = new URLSearchParams(entries.filter(([name]) => !path.includes(`{${name}}`)));
  const address = `${inPath.slice(1)}${query.size ? `?${query}` : ""}`;
  const link = el("a", { href: address }, el("code", {}, `/${address}`));
  box.replaceChildren(el("p", {}, link, " …"));
  const begin = performance.now();
  const answer = await fetch(address);
  const media = answer.headers.get("Content-Type") ?? "";
  const head = () => el("p", {}, link, ` ${answer.status}, ${media.split(";")[0]}, ${Math.round(performance.now() - begin)} ms`);
  if (media.startsWith("image/")) return box.replaceChildren(head(), el("img", { src: address, alt: "The picture that was answered" }));
  let text = await answer.text();
  if (media.includes("json")) text = JSON.stringify(JSON.parse(text), null, 2);
  box.replaceChildren(head(), el("pre", { tabindex: 0, "aria-label": "Answer" }, text.length > LONGEST ? `${text.slice(0, LONGEST)}\n… ${text.length} characters` : text));
}

function route(path, verb, about) {
  const parameters = (about.parameters ?? []).filter((one) => one.in !== "header");
  const [media, content] = Object.entries(about.responses["200"]?.content ?? {})[0] ?? [];
  const box = el("div", { class: "answer", "aria-live": "polite" });
  const form = el("form", { class: "try" }, el("div", { class: "fields" }, ...parameters.map(field)),
    verb === "get" ? el("div", { class: "bar" }, el("button", { type: "submit", class: "main" }, "Try it")) : el("p", { class: "hint" }, "The body is sent as it is: ", el("code", {}, `curl --data-binary @FILE ${location.origin}${path}`)));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(path, form, box).catch((error) => box.replaceChildren(el("p", { class: "bad" }, error.message)));
  });
  return el("details", { class: "card route" },
    el("summary", {}, el("span", { class: "verb" }, verb.toUpperCase()), " ", el("code", {}, path), el("span", { class: "what" }, about.summary ?? "")),
    about.description && about.description !== about.summary ? el("p", {}, ...withCode(about.description)) : null,
    form, box,
    content ? el("details", { class: "fold" }, el("summary", {}, `What it answers: ${media}${content.schema?.title ? "" : `, ${typeOf(content.schema)}`}`), ...fields(content.schema ?? {})) : null,
  );
}

const groups = new Map();
for (const [path, verbs] of Object.entries(paths)) {
  for (const [verb, about] of Object.entries(verbs)) {
    const tag = about.tags?.[0] ?? "Other";
    if (!groups.has(tag)) groups.set(tag, []);
    groups.get(tag).push(route(path, verb, about));
  }
}
byId("routes").replaceChildren(...[...groups].flatMap(([tag, routes]) => [el("h2", {}, tag), ...routes]));
