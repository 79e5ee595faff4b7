// Share and keep: the link, the position and the game as text, pictures, HTML for other sites; and the paste field.

import { getJson } from "./api.js";
import { chosenOf } from "./explain.js";
import { byId, copyButton, el, pictureBar, report } from "./page.js";
import { gameText, readGameText, Record } from "./record.js";
import { addressOf, GAMES, gameOf, question } from "./state.js";

let now = null; // The game on show: { state, view, open }.
const first = Promise.withResolvers(); // Buttons wait for the first position.
const onShow = () => first.promise.then(() => now);

copyButton(byId("share"), () => location.href);
copyButton(byId("copy-position"), () => onShow().then(({ view }) => view.spec));
copyButton(byId("copy-game"), () => onShow().then(({ state }) => gameText(state)));
byId("open-text").addEventListener("click", () => openText(byId("pasted").value).catch(report));

export function fillShare(shown) {
  now = shown;
  first.resolve();
  const { state, view } = shown;
  const marks = state.hide ? [] : [...(state.record.at.marks ?? [])].map((one) => one.join("="));
  const about = { ...question(state), ...chosenOf(state)?.query, marks: marks.join(";") || undefined }; // with the overlay on show
  const address = new URL(addressOf({ ...state, embed: true }), location.href);
  const embed = `<iframe src="${address}" width="480" height="560" title="${gameOf(state).title}"></iframe>`;
  const copy = (label, text) => copyButton(el("button", { type: "button" }, label), () => text);
  const pictures = pictureBar(`${state.game}/picture`, about, state.game);
  pictures.append(el("button", { type: "button", onclick: () => print() }, "Print"));
  byId("export").replaceChildren(pictures, el("div", { class: "bar" },
    copy("Copy HTML to embed", embed),
    ...Object.entries(view.notations).map(([name, text]) => copy(`Copy for ${name}`, text))));
  byId("open-page").href = addressOf({ ...state, embed: false });
}

const MOST_LINES = 50;

// Opens the text of a game, or a position of the game on show. The server checks every line first.
async function openText(text) {
  const { state, open } = await onShow();
  const source = readGameText(text);
  if (!source) return open({ start: text.trim() });
  if (!GAMES.has(source.game)) throw new Error(`The game “${source.game}” is not known here: ${[...GAMES.keys()].join(", ")}.`);
  if (source.lines.length > MOST_LINES) throw new Error(`A game has at most ${MOST_LINES} lines here.`);
  const wanted = { ...state, ...source };
  for (const line of source.lines.length ? source.lines : [[]]) await getJson(`${source.game}/position`, question(wanted, line));
  const record = new Record(source.lines);
  record.walk(source.lines[0] ?? []);
  open({ game: source.game, start: source.start, first: source.first, you: "both", hide: false, overlay: "", record });
}
