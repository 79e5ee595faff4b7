// Shows the server's own OpenAPI description: each route, its parameters, an example to try.

import { getJson } from "./api.js";
import { byId, el, topBar } from "./page.js";

topBar();

function typeOf(schema = {}) {
  if (schema.enum) return schema.enum.join(" | ");
  if (schema.const) return schema.const;
  return schema.type ?? "";
}

// Text with `code` in it.
function withCode(text) {
  return text.split("`").map((part, index) => (index % 2 ? el("code", {}, part) : part));
}

function route(path, verb, about) {
  const parameters = about.parameters ?? [];
  const example = parameters.filter((one) => one.in === "query").map((one) => {
    const value = one.schema.examples?.[0] ?? one.example ?? one.schema.enum?.[0] ?? one.schema.default;
    return value === undefined ? null : `${one.name}=${encodeURIComponent(value)}`;
  });
  const address = `${path.slice(1)}${example.length ? `?${example.filter(Boolean).join("&")}` : ""}`;
  const canTry = verb === "get" && !path.includes("{") && parameters.every((one) => !one.required || example.some((text) => text?.startsWith(`${one.name}=`)));
  return el("section", { class: "card route" },
    el("h3", {}, el("span", { class: "verb" }, verb.toUpperCase()), " ", el("code", {}, path)),
    el("p", {}, about.summary ?? "", about.description && about.description !== about.summary ? el("span", { class: "hint" }, " ", ...withCode(about.description)) : null),
    parameters.length ? el("ul", {}, ...parameters.map((one) => el("li", {}, el("code", {}, one.name), ` ${typeOf(one.schema)}${one.required ? "" : " (may be left out)"} ${one.description ?? ""}`))) : null,
    canTry ? el("p", {}, "Try: ", el("a", { href: address }, el("code", {}, `/${address}`))) : null,
  );
}

const { paths } = await getJson("openapi.json");
const groups = new Map();
for (const [path, verbs] of Object.entries(paths)) {
  for (const [verb, about] of Object.entries(verbs)) {
    const tag = about.tags?.[0] ?? "Other";
    if (!groups.has(tag)) groups.set(tag, []);
    groups.get(tag).push(route(path, verb, about));
  }
}
byId("routes").replaceChildren(...[...groups].flatMap(([tag, routes]) => [el("h2", {}, tag), ...routes]));
