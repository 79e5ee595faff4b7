// The form of a game, which keeps what was typed until Start, and the shape that is drawn on the board.

import { getJson } from "./api.js";
import { byId, el, options, ready, report } from "./page.js";
import { GAMES, gameOf, playersOf } from "./state.js";

export class Setup {
  constructor({ board, begin, current, drawing }) {
    Object.assign(this, { board, begin, current, drawing });
    this.turned = new Set(); // Squares that were turned since the drawing began, by name.
    this.asked = null;
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

  // Writes a game into the form; what was typed before goes.
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

  // ---- drawing: the board shows every square at once; the server is told of all of them together.

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
    this.asked = this.shape();
    this.asked.catch(report);
  }

  async shape() {
    const squares = [...this.turned].join(";");
    const { spec } = await getJson(`${this.current().game}/reshape`, { spec: this.base, squares });
    if (squares === [...this.turned].join(";")) byId("spec").value = spec;
    return spec;
  }

  async play() {
    try {
      const spec = (await this.asked) ?? this.base;
      this.stop();
      this.begin({ start: spec, you: "both" });
    } catch (error) {
      report(error);
    }
  }

  stop() {
    if (!this.board.drawing) return;
    this.asked = null;
    byId("draw").setAttribute("aria-pressed", "false");
    byId("draw").textContent = "Draw a shape";
    byId("draw-help").hidden = true;
    this.drawing(false);
  }
}
