// The form of a game, which keeps its input until Start, and the drawing of a shape on the board. The mode and the game
// change at once.

import { getJson } from "./api.js";
import { byId, el, options, ready, report } from "./page.js";
import { CHOICES, choiceOf, GAMES, gameOf, hides, playersOf } from "./state.js";

export class Setup {
  constructor({ board, begin, current, drawing }) {
    Object.assign(this, { board, begin, current, drawing });
    byId("game").replaceChildren(...options(CHOICES.map(({ title }, index) => [index, title])));
    byId("game").addEventListener("change", () => this.open(CHOICES[byId("game").value]));
    for (const mode of this.modes) mode.addEventListener("change", () => begin({ ...this.sides(), record: current().record }));
    byId("setup").addEventListener("submit", (event) => {
      event.preventDefault();
      this.stop();
      begin({ start: byId("spec").value.trim(), first: byId("first").value, ...this.sides() }, { fresh: current().you === this.sides().you });
    });
    byId("draw").addEventListener("click", () => (board.drawing ? this.play() : this.draw()).catch(report));
  }

  modes = [...byId("setup").querySelectorAll("[name=mode]")];

  // The mode and the visitor's side in the form; marks are hidden or shown anew only if the mode changes.
  sides() {
    const you = this.modes[1].checked ? "both" : byId("you").value;
    const { you: before, hide } = this.current();
    return { you, hide: (you === "both") === (before === "both") ? hide : hides({ you }) };
  }

  // Writes a game into the form, over its input.
  fill(state) {
    const game = gameOf(state);
    const players = Object.entries(game.players);
    const example = (start, name = start) => el("button", { type: "button", class: "link", onclick: () => this.open({ game: game.name, start }) }, name);
    byId("game").value = CHOICES.indexOf(choiceOf(state));
    byId("spec").value = state.start;
    byId("spec-help").textContent = game.spec_help;
    byId("examples").replaceChildren(...game.examples.map((spec) => example(spec)));
    this.modes[state.you === "both" ? 1 : 0].checked = true;
    byId("side").hidden = state.you === "both";
    byId("you").replaceChildren(...options(players));
    byId("you").value = playersOf(game).includes(state.you) ? state.you : state.first;
    byId("first").replaceChildren(...options(players));
    byId("first").value = state.first;
    byId("starts").hidden = !game.either_begins;
    byId("draw").hidden = !game.services.includes("reshaped");
    byId("shapes").replaceChildren(...Object.entries(game.shapes).map(([name, spec]) => el("li", {}, example(spec, name))));
    ready(byId("setup"));
  }

  // Opens another start or game; the mode stays, and so does the visitor's place among the players.
  open({ game, start }) {
    this.stop();
    const { you } = this.current();
    const [before, players] = [playersOf(gameOf(this.current())), playersOf(GAMES.get(game))];
    this.begin({ game, start, first: players[0], you: you === "both" ? you : players[before.indexOf(you)] });
  }

  // ---- drawing: the board shows every square at once; the server gets all of them together

  async draw() {
    if (await this.drawing(true)) this.showDrawing(true);
  }

  showDrawing(on) {
    byId("draw").setAttribute("aria-pressed", on);
    byId("draw").textContent = on ? "Play this shape" : "Draw a shape";
  }

  async play() {
    const { game, start } = this.current();
    const { spec } = await getJson(`${game}/reshape`, { spec: start, squares: this.board.turned().join(";") });
    this.stop();
    this.begin({ start: spec });
  }

  stop() {
    if (!this.board.drawing) return;
    this.showDrawing(false);
    this.drawing(false);
  }
}
