// The form of a game, which keeps its input until Start, and the drawing of a shape on the board.

import { getJson } from "./api.js";
import { byId, el, options, ready, report } from "./page.js";
import { GAMES, gameOf, playersOf } from "./state.js";

export class Setup {
  constructor({ board, begin, current, drawing }) {
    Object.assign(this, { board, begin, current, drawing });
    this.turned = new Set(); // Squares that the drawing changes, by name.
    this.answer = null;
    byId("game").replaceChildren(...options([...GAMES.values()].map(({ name, title }) => [name, title])));
    byId("game").addEventListener("change", () => {
      const game = GAMES.get(byId("game").value);
      this.fillGame(game, { start: game.examples[0], you: "both", first: playersOf(game)[0] });
    });
    byId("setup").addEventListener("submit", (event) => {
      event.preventDefault();
      this.stop();
      begin({ game: byId("game").value, start: byId("spec").value.trim(), first: byId("first").value, you: byId("you").value || "both" }, { fresh: this.current().you === byId("you").value });
    });
    byId("draw").addEventListener("click", () => (board.drawing ? this.play() : this.draw()));
  }

  // Writes a game into the form, over its input.
  fill(state) {
    byId("game").value = state.game;
    this.fillGame(gameOf(state), state);
    ready(byId("setup"));
  }

  fillGame(game, { start, you, first }) {
    const players = Object.entries(game.players);
    const example = (spec, name = spec) => el("button", { type: "button", class: "link", onclick: () => this.open(game, spec) }, name);
    byId("spec").value = start;
    byId("spec-help").textContent = game.spec_help;
    byId("examples").replaceChildren(...game.examples.map((spec) => example(spec)));
    byId("you").replaceChildren(...options([...players, ["both", "Both (analyse)"]]));
    byId("you").value = you;
    byId("first").replaceChildren(...options(players));
    byId("first").value = first;
    byId("starts").hidden = !game.either_begins;
    byId("draw").hidden = !game.services.includes("reshaped") || game.name !== this.current().game;
    const shapes = Object.entries(game.shapes);
    byId("library").hidden = !shapes.length;
    byId("shapes").replaceChildren(...shapes.map(([name, spec]) => el("li", {}, example(spec, name))));
  }

  open(game, spec) {
    this.stop();
    this.begin({ game: game.name, start: spec, first: playersOf(game)[0], you: "both" });
  }

  // ---- drawing: the board shows every square at once; the server gets all of them together

  async draw() {
    this.base = this.current().start;
    this.turned.clear();
    if (!(await this.drawing(true))) return;
    byId("draw").setAttribute("aria-pressed", "true");
    byId("draw").textContent = "Play this shape";
    byId("draw-help").hidden = false;
  }

  turn(squares) {
    for (const [row, col] of squares) {
      const name = `${row},${col}`;
      if (!this.turned.delete(name)) this.turned.add(name);
    }
    this.answer = this.shape();
    this.answer.catch(report);
  }

  async shape() {
    const squares = [...this.turned].join(";");
    const { spec } = await getJson(`${this.current().game}/reshape`, { spec: this.base, squares });
    if (squares === [...this.turned].join(";")) byId("spec").value = spec;
    return spec;
  }

  async play() {
    try {
      const spec = (await this.answer) ?? this.base;
      this.stop();
      this.begin({ start: spec, you: "both" });
    } catch (error) {
      report(error);
    }
  }

  stop() {
    if (!this.board.drawing) return;
    this.answer = null;
    byId("draw").setAttribute("aria-pressed", "false");
    byId("draw").textContent = "Draw a shape";
    byId("draw-help").hidden = true;
    this.drawing(false);
  }
}
