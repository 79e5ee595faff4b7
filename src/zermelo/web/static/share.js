// What can be taken along: the link, the position and the game as text, pictures, a board for other pages; and what can
// be pasted.

import { getJson, pictureAddress } from "./api.js";
import { byId, copyButton, el, report } from "./page.js";
import { gameText, readGameText, Record } from "./record.js";
import { addressOf, GAMES, gameOf, question } from "./state.js";

let now = null; // What is on show: { state, view, open }.

copyButton(byId("share"), () => location.href);
copyButton(byId("copy-position"), () => now.view.spec);
copyButton(byId("copy-game"), () => gameText(now.state));
byId("open-text").addEventListener("click", () => openText(byId("pasted").value).catch(report));

export function fillShare(shown) {
  now = shown;
  const { state, view } = shown;
  const about = { ...question(state), ...overlayQuery(state) };
  const picture = (file) => pictureAddress(`${state.game}/picture`, { ...about, file, save: true });
  const embed = `<iframe src="${new URL(`embed.html${addressOf(state)}`, location.href)}" width="480" height="520" title="${gameOf(state).title}"></iframe>`;
  const copy = (label, text) => copyButton(el("button", { type: "button" }, label), () => text);
  byId("export").replaceChildren(
    el("div", { class: "bar" },
      el("a", { class: "button", href: picture("svg"), download: "" }, "SVG"),
      el("button", { type: "button", id: "png", onclick: () => savePng(pictureAddress(`${state.game}/picture`, about)).catch(report) }, "PNG"),
      el("a", { class: "button", href: picture("tex"), download: "" }, "TikZ"),
      el("button", { type: "button", onclick: () => print() }, "Print")),
    el("div", { class: "bar" },
      copy("Copy HTML to embed", embed),
      ...Object.entries(view.notations).map(([name, text]) => copy(`Copy for ${name}`, text))),
  );
}

// The overlay on show goes into the picture.
function overlayQuery(state) {
  const [kind, choice] = state.overlay.split("-");
  const game = gameOf(state);
  if (!(kind in game.explanations)) return {};
  const option = game.explain_options.find((one) => one.choices.includes(choice));
  return option ? { kind, [option.name]: choice } : { kind };
}

// Draws the server's SVG picture at twice its size.
async function savePng(address) {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = el("canvas", { width: 2 * image.naturalWidth, height: 2 * image.naturalHeight });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  el("a", { href: canvas.toDataURL("image/png"), download: `${now.state.game}.png` }).click();
}

const MOST_LINES = 50;

// Opens a game as `Copy game` writes it, or a position of the game on show. Every line is played on the server first.
async function openText(text) {
  const { state, open } = now;
  const told = readGameText(text);
  if (!told) return open({ start: text.trim() });
  if (!GAMES.has(told.game)) throw new Error(`The game “${told.game}” is not known here: ${[...GAMES.keys()].join(", ")}.`);
  if (told.lines.length > MOST_LINES) throw new Error(`A game has at most ${MOST_LINES} lines here.`);
  const wanted = { ...state, ...told, you: "both", overlay: "" };
  for (const line of told.lines.length ? told.lines : [[]]) await getJson(`${told.game}/position`, question(wanted, line));
  const record = new Record(told.lines);
  record.walk(told.lines[0] ?? []);
  open({ game: told.game, start: told.start, first: told.first, you: "both", overlay: "", record });
}
