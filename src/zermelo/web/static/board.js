// The board as SVG: squares, pieces, marks, overlays; pointer and keyboard choose among the legal moves.
// It knows no rules: the server says which squares each move takes.

import { svg, MARK_WORDS } from "./page.js";

const SIZE = 40;
const MARGIN = 22;
const MARK = 24;

const keyOf = ([row, col]) => `${row},${col}`;
const left = (col) => MARGIN + (col - 1) * SIZE;
const top = (row) => MARGIN + (row - 1) * SIZE;

export class Board {
  // Calls onMove(id) when the visitor chooses a move, onDraw(squares) when the visitor draws over free or blocked squares,
  // and onHover(id or null) when the pointer is over a move. Without onMove the board is a picture.
  constructor(host, { onMove, onDraw, onHover } = {}) {
    this.host = host;
    this.still = !onMove;
    this.onMove = onMove;
    this.onDraw = onDraw;
    this.onHover = onHover ?? (() => {});
    this.cursor = [1, 1];
    this.marks = new Map();
    this.drawing = false;
    this.enabled = true;
    this.painting = null; // While the pointer draws: the squares, and whether they are taken away or given back.
    this.chosen = null; // The move of a first tap; on small squares a second tap plays it.
    this.clicked = null; // Where and when the last move was clicked.
  }

  // Shows a new position without marks and overlays.
  show(view) {
    const had = this.root?.contains(document.activeElement);
    this.view = view;
    this.marks = new Map();
    this.chosen = this.previewed = null;
    this.bySquare = new Map();
    for (const move of view.moves) {
      for (const square of move.squares) {
        const key = keyOf(square);
        if (!this.bySquare.has(key)) this.bySquare.set(key, []);
        this.bySquare.get(key).push(move);
      }
    }
    this.cursor = [Math.min(this.cursor[0], view.rows), Math.min(this.cursor[1], view.cols)];
    this.build();
    if (had) this.focusCursor();
  }

  build() {
    const { rows, cols } = this.view;
    const width = 2 * MARGIN + cols * SIZE;
    const height = 2 * MARGIN + rows * SIZE;
    this.layers = {};
    const layer = (name) => (this.layers[name] = svg("g", { class: name }));
    const label = `Board of ${rows} rows and ${cols} columns`;
    const role = this.still ? { role: "img", "aria-label": `${label}: ${this.view.spec}`, class: "picture" } : { role: "grid", "aria-label": label, "aria-rowcount": rows, "aria-colcount": cols, class: "grid" };
    this.root = svg("svg", { viewBox: `0 0 ${width} ${height}`, ...role }, layer("labels"), layer("squares"), layer("sets"), layer("overlay"), layer("pieces"), layer("ghost"), layer("marks"), layer("ring"));
    this.root.dataset.rows = rows;
    this.drawLabels();
    this.drawSquares();
    this.drawSets();
    for (const piece of this.view.pieces) this.drawPiece(piece, this.layers.pieces);
    if (!this.still) this.listen();
    // For the style sheet, which sets the size.
    this.root.classList.toggle("long", cols > 16);
    this.root.style.setProperty("--cols", cols);
    this.root.style.setProperty("--ratio", width / height);
    this.host.replaceChildren(this.root);
  }

  listen() {
    for (const move of this.view.moves) this.drawMark(move);
    for (const [name, action] of Object.entries({
      pointerdown: this.press, pointermove: this.hover, pointerup: this.release, pointercancel: this.release, click: this.click, keydown: this.key,
    })) this.root.addEventListener(name, (event) => action.call(this, event));
    this.root.addEventListener("pointerleave", () => this.chosen || this.preview(null));
  }

  drawLabels() {
    const { rows, cols, row_labels, col_labels } = this.view;
    for (let row = 1; row <= rows; row++) {
      this.layers.labels.append(svg("text", { x: MARGIN / 2, y: top(row) + SIZE / 2 + 4 }, row_labels[row - 1]));
    }
    for (let col = 1; col <= cols; col++) {
      this.layers.labels.append(svg("text", { x: left(col) + SIZE / 2, y: MARGIN / 2 + 4 }, col_labels[col - 1]));
    }
  }

  drawSquares() {
    const { rows, cols, blocked, wraps_rows, wraps_cols } = this.view;
    const away = new Set(blocked.map(keyOf));
    this.cells = new Map();
    for (let row = 1; row <= rows; row++) {
      const line = svg("g", this.still ? {} : { role: "row" });
      for (let col = 1; col <= cols; col++) {
        const key = keyOf([row, col]);
        const cell = svg("rect", {
          x: left(col), y: top(row), width: SIZE, height: SIZE, ...(this.still ? {} : { role: "gridcell", tabindex: -1, "data-square": key }),
          class: away.has(key) ? "square blocked" : "square",
        });
        cell.addEventListener("focus", () => this.focused(row, col));
        cell.addEventListener("blur", () => this.layers.ring.replaceChildren());
        this.cells.set(key, cell);
        line.append(cell);
      }
      this.layers.squares.append(line);
    }
    const edge = (x1, y1, x2, y2, wraps) => this.layers.squares.append(svg("line", { x1, y1, x2, y2, class: wraps ? "edge wraps" : "edge" }));
    const [right, bottom] = [left(cols + 1), top(rows + 1)];
    edge(MARGIN, MARGIN, right, MARGIN, wraps_cols);
    edge(MARGIN, bottom, right, bottom, wraps_cols);
    edge(MARGIN, MARGIN, MARGIN, bottom, wraps_rows);
    edge(right, MARGIN, right, bottom, wraps_rows);
    if (this.still) return;
    this.labelCells();
    this.cells.get(keyOf(this.cursor)).setAttribute("tabindex", 0);
  }

  // Draws sets of squares as ribbons through their centres, and texts on squares.
  drawSets() {
    const middle = ([row, col]) => [left(col) + SIZE / 2, top(row) + SIZE / 2];
    this.view.edges.forEach((squares, index) => {
      const points = [...squares].sort(([a, b], [c, d]) => a - c || b - d).map(middle);
      this.layers.sets.append(svg("polyline", { class: `set set-${index % 6}`, points: points.join(" ") }));
    });
    for (const { square, text } of this.view.texts) {
      const [x, y] = middle(square);
      const size = Math.min(11, (1.7 * SIZE) / Math.max(1, text.length));
      this.layers.sets.append(svg("text", { class: "vertex-text", x, y: y + SIZE / 2 - 3, "font-size": size }, text));
    }
  }

  // A domino over two squares, or two halves when it wraps around an edge; a stone on one square.
  drawPiece({ player, squares, last }, layer, extra = "") {
    const side = Object.keys(this.view.player_names).indexOf(player);
    const name = `piece player-${player} side-${side} ${extra}${last ? " last" : ""}`;
    if (squares.length === 1) {
      const [x, y] = [left(squares[0][1]) + SIZE / 2, top(squares[0][0]) + SIZE / 2];
      if (side === 0) layer.append(svg("path", { class: `${name} cross`, d: `M${x - 10} ${y - 10}l20 20M${x + 10} ${y - 10}l-20 20` }));
      else layer.append(svg("circle", { class: `${name} nought`, cx: x, cy: y, r: 11 }));
      return;
    }
    for (const { x, y, width, height } of boxes(squares)) {
      layer.append(svg("rect", { class: name, x: x + 4, y: y + 4, width: width - 8, height: height - 8, rx: 7 }));
    }
  }

  // The place of a move's mark: on the line between its squares, or at the edge if the move wraps.
  place(move) {
    const [one, two] = move.squares;
    if (!two) return [left(one[1]) + SIZE / 2, top(one[0]) + SIZE / 2];
    if (Math.abs(one[0] - two[0]) + Math.abs(one[1] - two[1]) === 1) {
      return [(left(one[1]) + left(two[1]) + SIZE) / 2, (top(one[0]) + top(two[0]) + SIZE) / 2];
    }
    return one[0] === two[0] ? [left(one[1] + 1), top(one[0]) + SIZE / 2] : [left(one[1]) + SIZE / 2, top(one[0] + 1)];
  }

  drawMark(move) {
    move.node = svg("use", { href: "#mark-unknown", class: "mark waiting", "data-move": move.id, "data-mark": "unknown" });
    this.sizeMark(move, MARK);
    this.layers.marks.append(move.node);
  }

  sizeMark(move, size) {
    const [x, y] = this.place(move);
    for (const [name, value] of Object.entries({ x: x - size / 2, y: y - size / 2, width: size, height: size })) move.node.setAttribute(name, value);
  }

  // Marks moves.
  mark(ids, mark) {
    for (const id of ids) {
      const move = this.view.moves.find((one) => one.id === id);
      if (!move) continue;
      this.marks.set(id, mark);
      move.node.setAttribute("href", `#mark-${mark}`);
      move.node.dataset.mark = mark;
      move.node.classList.remove("waiting");
    }
    this.labelCells();
  }

  // Shows that unknown moves are searched again.
  waitAgain() {
    for (const move of this.view.moves) if (this.marks.get(move.id) === "unknown") move.node.classList.add("waiting");
  }

  showMarks(visible) {
    this.layers.marks.classList.toggle("hidden", !visible);
    this.marksShown = visible;
    this.labelCells();
  }

  // Areas over the board: [{squares, label, colour, dashed}].
  overlay(areas) {
    const parts = [];
    areas.forEach((area, index) => {
      const members = new Set(area.squares.map(keyOf));
      for (const [row, col] of area.squares) {
        parts.push(svg("rect", { x: left(col), y: top(row), width: SIZE, height: SIZE, fill: area.colour, "fill-opacity": 0.3, "data-area": index }));
        const side = (dr, dc, d) => {
          if (!members.has(keyOf([row + dr, col + dc]))) {
            parts.push(svg("path", { d, stroke: area.colour, class: area.dashed ? "area-line dashed" : "area-line" }));
          }
        };
        const [x, y] = [left(col), top(row)];
        side(-1, 0, `M${x} ${y + 2}h${SIZE}`);
        side(1, 0, `M${x} ${y + SIZE - 2}h${SIZE}`);
        side(0, -1, `M${x + 2} ${y}v${SIZE}`);
        side(0, 1, `M${x + SIZE - 2} ${y}v${SIZE}`);
      }
    });
    for (const area of areas) {
      if (!area.label) continue;
      const [row, col] = area.squares[0];
      const [x, y] = this.labelPlace();
      parts.push(svg("text", { class: "area-text", x: left(col) + x, y: top(row) + y }, area.label));
    }
    this.layers.overlay.replaceChildren(...parts);
    // Smaller marks leave room for the letters.
    for (const move of this.view.moves) this.sizeMark(move, areas.length ? 0.72 * MARK : MARK);
  }

  // The place of an area's letter in its first square, away from marks: those of upright pieces lie on the lines between
  // rows, those of flat pieces on the lines between columns, those of stones in the middle.
  labelPlace() {
    const along = (axis) => this.view.moves.length && this.view.moves.every(({ squares }) => squares.length > 1 && squares[0][axis] === squares[1][axis]);
    if (along(1)) return [5, SIZE / 2 + 4];
    return along(0) ? [SIZE / 2 - 4, 14] : [4, 13];
  }

  // The move nearest to a point of a square: each half of a square chooses the domino on that side.
  nearest(row, col, x, y) {
    let best = null, distance = Infinity;
    for (const move of this.bySquare.get(keyOf([row, col])) ?? []) {
      const [px, py] = this.place(move);
      const far = Math.hypot(px - x, py - y);
      if (far < distance) [best, distance] = [move, far];
    }
    return best;
  }

  at(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.root.getScreenCTM().inverse());
    const [row, col] = [Math.floor((point.y - MARGIN) / SIZE) + 1, Math.floor((point.x - MARGIN) / SIZE) + 1];
    const { rows, cols } = this.view;
    return row >= 1 && col >= 1 && row <= rows && col <= cols ? { row, col, x: point.x, y: point.y } : null;
  }

  // A press takes no focus, so that arrow keys go through the game. On a touch screen it shows the move.
  press(event) {
    if (event.button) return;
    event.preventDefault();
    document.activeElement?.blur();
    const place = this.at(event);
    if (this.drawing && place) {
      this.root.setPointerCapture(event.pointerId);
      this.startPainting(place);
    } else if (event.pointerType === "touch") this.hover(event);
  }

  startPainting({ row, col }) {
    this.painting = { gone: !this.cells.get(keyOf([row, col])).classList.contains("blocked"), squares: [] };
    this.paint({ row, col });
  }

  paint({ row, col }) {
    const cell = this.cells.get(keyOf([row, col]));
    if (cell.classList.contains("blocked") === this.painting.gone) return;
    cell.classList.toggle("blocked", this.painting.gone);
    this.painting.squares.push([row, col]);
  }

  release(event) {
    if (!this.painting) return event.type === "pointercancel" && this.preview(null);
    const { squares } = this.painting;
    this.painting = null;
    this.labelCells();
    if (squares.length) this.onDraw(squares);
  }

  hover(event) {
    if (this.painting) {
      for (const one of event.getCoalescedEvents?.() ?? [event]) if (this.at(one)) this.paint(this.at(one));
      return;
    }
    if (this.drawing || !this.enabled || this.chosen) return;
    const place = this.at(event);
    this.preview(place && this.nearest(place.row, place.col, place.x, place.y));
  }

  click(event) {
    const place = this.at(event);
    if (!place || this.drawing || !this.enabled) return;
    // The second click of a double click is not meant for the next position.
    const { x, y, time } = this.clicked ?? {};
    if (event.timeStamp - time < 500 && Math.hypot(event.clientX - x, event.clientY - y) < 12) return;
    const move = this.nearest(place.row, place.col, place.x, place.y);
    const small = this.cells.get(keyOf([1, 1])).getBoundingClientRect().width < 32;
    if (event.pointerType === "touch" && small && this.chosen !== move) {
      this.chosen = move;
      return this.preview(move);
    }
    this.chosen = null;
    if (!move) return;
    this.clicked = { x: event.clientX, y: event.clientY, time: event.timeStamp };
    this.onMove(move.id);
  }

  // Shows a move before the server has answered; null removes it.
  placed(id) {
    this.enabled = id === null;
    this.preview(null);
    const move = this.view.moves.find((one) => one.id === id);
    if (move) this.drawPiece({ player: this.view.to_move, squares: move.squares }, this.layers.pieces, "placed");
    else for (const node of this.layers.pieces.querySelectorAll(".placed")) node.remove();
  }

  draw(on) {
    this.drawing = on;
    this.root.classList.toggle("drawing", on);
  }

  preview(move) {
    if (this.previewed === move) return;
    this.previewed = move;
    this.layers.ghost.replaceChildren();
    if (move) this.drawPiece({ player: this.view.to_move, squares: move.squares }, this.layers.ghost, "ghost");
    this.onHover(move?.id ?? null);
  }

  // Shows the opponent's best reply to the move under the pointer.
  previewReply(player, squares) {
    this.drawPiece({ player, squares }, this.layers.ghost, "ghost reply");
  }

  // The move that Enter plays on a square: one that starts there, or else ends there.
  moveAtCursor() {
    const moves = this.bySquare.get(keyOf(this.cursor)) ?? [];
    return moves.find((move) => keyOf(move.squares[0]) === keyOf(this.cursor)) ?? moves[0];
  }

  key(event) {
    const { rows, cols } = this.view;
    const [row, col] = this.cursor;
    const wanted = { ArrowUp: [row - 1, col], ArrowDown: [row + 1, col], ArrowLeft: [row, col - 1], ArrowRight: [row, col + 1], Home: [row, 1], End: [row, cols] }[event.key];
    if (wanted) {
      this.cursor = [Math.min(rows, Math.max(1, wanted[0])), Math.min(cols, Math.max(1, wanted[1]))];
      this.focusCursor();
    } else if (event.key === "Enter" || event.key === " ") {
      if (this.drawing) {
        this.startPainting({ row, col });
        this.release(event);
      } else if (this.enabled && this.moveAtCursor()) this.onMove(this.moveAtCursor().id);
    } else return;
    event.preventDefault();
  }

  focusCursor() {
    for (const cell of this.cells.values()) cell.setAttribute("tabindex", -1);
    const cell = this.cells.get(keyOf(this.cursor));
    cell.setAttribute("tabindex", 0);
    cell.focus({ preventScroll: true });
  }

  focused(row, col) {
    this.cursor = [row, col];
    this.layers.ring.replaceChildren(svg("rect", { class: "focus-ring", x: left(col) + 1, y: top(row) + 1, width: SIZE - 2, height: SIZE - 2, rx: 4 }));
    if (!this.drawing && this.enabled) this.preview(this.moveAtCursor() ?? null);
  }

  // Labels each square for screen readers.
  labelCells() {
    const taken = new Map();
    for (const piece of this.view.pieces) for (const square of piece.squares) taken.set(keyOf(square), piece.player);
    const { row_labels, col_labels, player_names } = this.view;
    const texts = new Map(this.view.texts.map(({ square, text }) => [keyOf(square), text]));
    for (const [key, cell] of this.cells) {
      const [row, col] = key.split(",").map(Number);
      const words = [texts.get(key) ?? `row ${row_labels[row - 1]}, column ${col_labels[col - 1]}`];
      if (taken.has(key)) words.push(player_names[taken.get(key)]);
      else if (cell.classList.contains("blocked")) words.push("blocked");
      else {
        const move = (this.bySquare.get(key) ?? []).find((one) => keyOf(one.squares[0]) === key);
        if (!move) words.push("free");
        else words.push(`free, move ${move.id}${this.marksShown === false ? "" : `: ${MARK_WORDS[this.marks.get(move.id) ?? "unknown"]}`}`);
      }
      cell.setAttribute("aria-label", words.join(", "));
    }
  }
}

// One box around neighbouring squares, or two if they lie at opposite edges.
function boxes(squares) {
  const [one, two] = squares;
  if (Math.abs(one[0] - two[0]) + Math.abs(one[1] - two[1]) === 1) {
    const [row, col] = [Math.min(one[0], two[0]), Math.min(one[1], two[1])];
    const upright = one[1] === two[1];
    return [{ x: left(col), y: top(row), width: upright ? SIZE : 2 * SIZE, height: upright ? 2 * SIZE : SIZE }];
  }
  return squares.map(([row, col]) => ({ x: left(col), y: top(row), width: SIZE, height: SIZE }));
}
