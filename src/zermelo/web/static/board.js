// The board as SVG: squares, pieces, marks, overlays; pointer and keyboard choose among the legal moves.
// It knows no rules: the server says which squares each move takes.

import { MARK_WORDS, plural, svg } from "./page.js";

const SIZE = 40;
const MARGIN = 22;
const MARK = 24;
const LAYERS = ["sets", "overlay", "way", "pieces", "winning", "ghost", "marks"]; // of a position, from below
const MOST_SETS = 40; // More ribbons would hide the board.
const BEST = ["win", "unknown", "draw", "loss"]; // Several moves share a mark: the first of these that one of them has.

const keyOf = ([row, col]) => `${row},${col}`;

export class Board {
  // Calls onMove(id) when the visitor chooses a move, and onHover(id or null) when the pointer is over one. Without onMove
  // the board is a picture.
  constructor(host, { onMove, onHover } = {}) {
    Object.assign(this, { host, onMove, onHover: onHover ?? (() => {}), still: !onMove, cursor: [1, 1], drawing: false, enabled: true });
    this.painting = null; // While the pointer draws: whether squares are taken away (true) or given back.
    this.chosen = null; // The move of a first tap; on small squares a second tap plays it.
    this.last = null; // The last press that made a move.
    this.early = []; // Presses made while the next position is on its way: they belong to that one.
  }

  // Shows a new position without marks and overlays.
  show(view) {
    const had = this.root?.contains(document.activeElement);
    this.view = view;
    this.marks = new Map();
    this.chosen = this.previewed = null;
    this.distances = {};
    this.pitch = view.slants ? 0.87 * SIZE : SIZE; // from row to row; hexagons reach into each other
    this.taken = new Map(view.pieces.flatMap(({ player, squares }) => squares.map((square) => [keyOf(square), player])));
    this.walks = view.moves.some((move) => this.isWay(move));
    const shape = JSON.stringify([view.row_labels, view.col_labels, view.slants, view.wraps_rows, view.wraps_cols, view.player_names]);
    if (shape !== this.shape || !this.root.isConnected) this.build();
    this.shape = shape;
    this.fill();
    if (!had) return;
    this.focusCursor();
    this.focused(...this.cursor);
  }

  left([row, col]) { return MARGIN + (col - 1 + (this.view.slants ? (row - 1) / 2 : 0)) * SIZE; }
  top([row]) { return MARGIN + (row - 1) * this.pitch; }
  middle(square) { return [this.left(square) + SIZE / 2, this.top(square) + this.pitch / 2]; }

  // The outline of a square, or of a hexagon.
  outline(square) {
    const [x, y] = this.middle(square);
    const third = this.pitch / 3;
    return this.view.slants ? `M${x} ${y - 2 * third}l20 ${third}v${2 * third}l-20 ${third}l-20 ${-third}v${-2 * third}z` : `M${x - 20} ${y - 20}h40v40h-40z`;
  }

  // Whether a move takes a piece along its squares; other moves put something on theirs.
  isWay({ squares }) { return squares.length > 1 && this.taken.has(keyOf(squares[0])); }

  // Whether the next square makes a move complete.
  isWhole(move) { return !this.isWay(move) || this.path.length + 1 === move.squares.length; }

  // Opens the moves that begin with some squares, which the visitor has chosen; their next squares choose among them. A
  // move that is no way is chosen by any of its squares.
  walk(path) {
    this.path = path;
    const step = path.length;
    this.layers.way.replaceChildren(...path.map((square) => svg("path", { d: this.outline(square), class: "way-square" })));
    const open = this.view.moves.filter(({ squares }) => path.every((square, at) => keyOf(squares[at] ?? []) === keyOf(square)));
    const nextOf = (move) => (this.isWay(move) ? [move.squares[step]] : move.squares);
    this.bySquare = Map.groupBy(open.flatMap((move) => nextOf(move).map((square) => [keyOf(square), move])), ([key]) => key);
    this.spots = [...Map.groupBy(open, (move) => (this.isWay(move) ? keyOf(move.squares[step]) : move.id)).values()].map((moves) => ({ moves }));
    this.layers.marks.replaceChildren(...this.spots.map((spot) => (spot.node = svg("use", { class: "mark", "data-move": spot.moves[0].id }))));
    for (const spot of this.spots) {
      this.sizeMark(spot, MARK);
      this.showMark(spot);
    }
    this.showDistances(this.distances);
  }

  // The moves that a square chooses or begins.
  movesAt(key) { return (this.bySquare.get(key) ?? []).map(([, move]) => move); }

  // Draws the empty board. It stays while only the position changes: a click needs its square from press to release.
  build() {
    const { rows, cols } = this.view;
    const width = this.left([rows, cols + 1]) + MARGIN;
    const height = 2 * MARGIN + rows * this.pitch;
    this.cursor = [Math.min(this.cursor[0], rows), Math.min(this.cursor[1], cols)];
    this.layers = Object.fromEntries(["labels", "squares", ...LAYERS, "ring"].map((name) => [name, svg("g", { class: name })]));
    const role = this.still ? { role: "img", class: "picture" } : { role: "grid", "aria-rowcount": rows, "aria-colcount": cols, class: "grid" };
    this.root = svg("svg", { viewBox: `0 0 ${width} ${height}`, ...role }, ...Object.values(this.layers));
    this.drawLabels();
    this.drawSquares();
    if (!this.still) this.listen();
    // For the style sheet, which sets the size.
    this.root.classList.toggle("long", cols > 16);
    this.root.style.setProperty("--cols", (width - 2 * MARGIN) / SIZE);
    this.root.style.setProperty("--ratio", width / height);
    this.host.replaceChildren(this.root);
  }

  // Draws the position.
  fill() {
    const { rows, cols, spec, blocked, pieces } = this.view;
    for (const name of LAYERS) this.layers[name].replaceChildren();
    delete this.root.dataset.marked;
    this.root.setAttribute("aria-label", `Board of ${rows} rows and ${cols} columns${this.still ? `: ${spec}` : ""}`);
    const away = new Set(blocked.map(keyOf));
    for (const [key, cell] of this.cells) cell.classList.toggle("blocked", away.has(key));
    this.drawSets();
    for (const piece of pieces) this.drawPiece(piece, this.layers.pieces);
    if (!this.still) this.walk([]);
  }

  listen() {
    for (const [name, action] of Object.entries({
      pointerdown: this.press, pointermove: this.hover, pointerup: this.release, pointercancel: this.release, click: this.click, keydown: this.key,
    })) this.root.addEventListener(name, (event) => action.call(this, event));
    this.root.addEventListener("pointerleave", () => this.chosen || this.preview(null));
  }

  drawLabels() {
    const { row_labels, col_labels } = this.view;
    const label = (x, y, text) => this.layers.labels.append(svg("text", { x, y: y + 4 }, text));
    row_labels.forEach((text, index) => label(this.left([index + 1, 1]) - MARGIN / 2, this.middle([index + 1, 1])[1], text));
    col_labels.forEach((text, index) => label(this.middle([1, index + 1])[0], MARGIN / 2 - (this.view.slants ? 7 : 0), text));
  }

  drawSquares() {
    const { rows, cols, wraps_rows, wraps_cols } = this.view;
    this.cells = new Map();
    for (let row = 1; row <= rows; row++) {
      const line = svg("g", this.still ? {} : { role: "row" });
      for (let col = 1; col <= cols; col++) {
        const key = keyOf([row, col]);
        const cell = svg("path", { d: this.outline([row, col]), class: "square", ...(this.still ? {} : { role: "gridcell", tabindex: -1, "data-square": key }) });
        cell.addEventListener("focus", () => this.focused(row, col));
        cell.addEventListener("blur", () => this.layers.ring.replaceChildren());
        this.cells.set(key, cell);
        line.append(cell);
      }
      this.layers.squares.append(line);
    }
    this.layers.squares.append(...(this.view.slants ? this.sides() : this.borders(wraps_rows, wraps_cols)).map(([d, name]) => svg("path", { d, class: `edge ${name}` })));
    if (!this.still) this.cells.get(keyOf(this.cursor)).setAttribute("tabindex", 0);
  }

  borders(wraps_rows, wraps_cols) {
    const [right, bottom] = [this.left([1, this.view.cols + 1]), this.top([this.view.rows + 1])];
    const name = (wraps) => (wraps ? "wraps" : "");
    return [[`M${MARGIN} ${MARGIN}H${right}M${MARGIN} ${bottom}H${right}`, name(wraps_cols)], [`M${MARGIN} ${MARGIN}V${bottom}M${right} ${MARGIN}V${bottom}`, name(wraps_rows)]];
  }

  // The sides of a board of hexagons: above and below those of the first player, left and right those of the second.
  sides() {
    const { rows, cols, player_names } = this.view;
    const third = this.pitch / 3;
    const line = (count, square, x, y, d) => Array.from({ length: count }, (_, index) => this.middle(square(index + 1))).map(([left, top]) => `M${left + x} ${top + y}${d}`).join("");
    const [one, two] = Object.values(player_names).map((name) => `named-${name.toLowerCase()}`);
    const beside = line(rows, (row) => [row, 1], -20, -third, `v${2 * third}l20 ${third}`) + line(rows, (row) => [row, cols], 20, third, `v${-2 * third}l-20 ${-third}`);
    const above = line(cols, (col) => [1, col], -20, -third, `l20 ${-third}l20 ${third}`) + line(cols, (col) => [rows, col], -20, third, `l20 ${third}l20 ${-third}`);
    return [[beside, "rim"], [above, "rim"], [beside, two], [above, one]];
  }

  // Draws sets of squares as ribbons through their centres, and texts on squares.
  drawSets() {
    const { edges, texts, won } = this.view;
    const ribbon = (squares, name) => svg("polyline", { class: name, points: [...squares].sort(([a, b], [c, d]) => a - c || b - d).map((square) => this.middle(square)).join(" ") });
    if (edges.length <= MOST_SETS) this.layers.sets.append(...edges.map((squares, index) => ribbon(squares, `set set-${index % 6}`)));
    for (const { square, text } of texts) {
      const size = Math.min(10, (1.7 * SIZE) / Math.max(1, text.length));
      this.layers.sets.append(svg("text", { class: "vertex-text", x: this.left(square) + 3, y: this.top(square) + 10, "font-size": size }, text));
    }
    if (won.length) this.layers.winning.append(ribbon(won, "won")); // The squares with which the game was won.
  }

  // A domino over two squares, or two halves when it wraps around an edge; on one square a cross, a nought, or a disc
  // with the player's letter.
  drawPiece({ player, squares, last }, layer, extra = "") {
    const side = Object.keys(this.view.player_names).indexOf(player);
    const name = `piece player-${player} side-${side} ${extra}${last ? " last" : ""}`;
    const [x, y] = this.middle(squares[0]);
    if (squares.length > 1) for (const box of this.boxes(squares)) layer.append(svg("rect", { class: name, ...box, rx: 7 }));
    else if (!/^[xo]$/i.test(player)) {
      const named = `named-${this.view.player_names[player]?.toLowerCase()}`;
      layer.append(svg("circle", { class: `${name} disc ${named}`, cx: x, cy: y, r: 13 }), svg("text", { class: `letter ${extra} ${named}`, x, y: y + 5 }, player[0].toUpperCase()));
    } else if (side === 0) layer.append(svg("path", { class: `${name} cross`, d: `M${x - 10} ${y - 10}l20 20M${x + 10} ${y - 10}l-20 20` }));
    else layer.append(svg("circle", { class: `${name} nought`, cx: x, cy: y, r: 11 }));
  }

  // Draws the pieces of a move; one that moves is drawn where it goes.
  drawMove(player, move, layer, extra) { this.drawPiece({ player, squares: this.isWay(move) ? [move.squares[1]] : move.squares }, layer, extra); }

  // One box around neighbouring squares, or two if they lie apart.
  boxes(squares) {
    const box = (all) => {
      const [rows, cols] = [all.map(([row]) => row), all.map(([, col]) => col)];
      const [row, col, low, far] = [Math.min(...rows), Math.min(...cols), Math.max(...rows), Math.max(...cols)];
      return { x: this.left([row, col]) + 4, y: this.top([row]) + 4, width: (far - col + 1) * SIZE - 8, height: (low - row + 1) * SIZE - 8 };
    };
    return touch(squares) ? [box(squares)] : squares.map((square) => box([square]));
  }

  // The place of a move's mark: on the next square of a way; else between its squares, or at the edge if it wraps.
  place(move) {
    const squares = this.isWay(move) ? [move.squares[this.path.length]] : move.squares;
    const [[x1, y1], [x2, y2]] = [this.middle(squares[0]), this.middle(squares.at(-1))];
    if (squares.length === 1 && this.taken.has(keyOf(squares[0]))) return [x1 + 10, y1 + 9]; // The piece stays visible.
    if (touch(squares) || !(this.view.wraps_rows || this.view.wraps_cols)) return [(x1 + x2) / 2, (y1 + y2) / 2];
    return y1 === y2 ? [x1 + SIZE / 2, y1] : [x1, y1 + SIZE / 2];
  }

  // Writes beside each mark in how many moves the game is over, where that is known; of losing moves those that last
  // longest stand out.
  showDistances(distances) {
    this.distances = distances;
    for (const node of this.layers.marks.querySelectorAll(".distance")) node.remove();
    const known = (moves, mark) => moves.filter(({ id }) => distances[id] && this.marks.get(id) === mark).map(({ id }) => distances[id]);
    const lost = known(this.view.moves, "loss").map(({ moves }) => moves);
    for (const { moves, node } of this.spots) {
      const sign = node.dataset.mark === "win" ? 1 : -1;
      const [best] = known(moves, node.dataset.mark).sort((one, two) => sign * (one.moves - two.moves));
      node.classList.toggle("longest", best?.moves === Math.max(...lost) && best.moves > Math.min(...lost));
      const [x, y] = this.place(moves[0]);
      const [right, down] = this.taken.has(keyOf(moves[0].squares[0])) ? [-25, 8] : this.view.slants ? [10, 8] : [8, 13]; // inside the square
      if (best?.exact) this.layers.marks.append(svg("text", { class: "distance", x: x + right, y: y + down }, best.moves));
    }
    this.labelCells();
  }

  // The losing move that lasts longest, where that is known and others do not.
  longest() { return this.layers.marks.querySelector(".longest")?.dataset.move; }

  // Shows one move as good, also where marks are hidden.
  hint(id) {
    const move = this.view.moves.find((one) => one.id === id);
    const [x, y] = this.isWay(move) ? this.middle(move.squares[0]) : this.place(move);
    this.layers.ghost.replaceChildren(svg("circle", { class: "hint-ring", cx: x, cy: y, r: 13 }));
    this.drawMove(this.view.to_move, move, this.layers.ghost, "ghost");
  }

  sizeMark({ moves, node }, wanted) {
    const [x, y] = this.place(moves[0]);
    const size = this.taken.has(keyOf(moves[0].squares[0])) ? 0.8 * wanted : wanted;
    for (const [name, value] of Object.entries({ x: x - size / 2, y: y - size / 2, width: size, height: size })) node.setAttribute(name, value);
  }

  // Marks moves.
  mark(ids, mark) {
    for (const id of ids) this.marks.set(id, mark);
    for (const spot of this.spots) if (spot.moves.some(({ id }) => ids.includes(id))) this.showMark(spot);
    this.labelCells();
  }

  showMark({ moves, node }) {
    const known = moves.map(({ id }) => this.marks.get(id) ?? "unknown");
    const mark = BEST.find((one) => known.includes(one));
    node.setAttribute("href", `#mark-${mark}`);
    node.dataset.mark = mark;
    node.classList.toggle("waiting", mark === "unknown" && !moves.every(({ id }) => this.marks.has(id)));
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
      for (const square of area.squares) {
        const [[row, col], [x, y]] = [square, [this.left(square), this.top(square)]];
        parts.push(svg("path", { d: this.outline(square), fill: area.colour, "fill-opacity": 0.3, "data-area": index }));
        const line = (d) => svg("path", { d, stroke: area.colour, class: area.dashed ? "area-line dashed" : "area-line" });
        const side = (dr, dc, d) => members.has(keyOf([row + dr, col + dc])) || this.view.slants || parts.push(line(d));
        side(-1, 0, `M${x} ${y + 2}h${SIZE}`);
        side(1, 0, `M${x} ${y + SIZE - 2}h${SIZE}`);
        side(0, -1, `M${x + 2} ${y}v${SIZE}`);
        side(0, 1, `M${x + SIZE - 2} ${y}v${SIZE}`);
      }
    });
    for (const area of areas) {
      if (!area.label) continue;
      const [first] = area.squares;
      const [x, y] = this.labelPlace();
      const wide = area.squares.filter((one) => one[0] === first[0]).length * SIZE - 2 * x; // The letters stay inside the area.
      parts.push(svg("text", { class: "area-text", x: this.left(first) + x, y: this.top(first) + y, "font-size": Math.min(12, wide / (0.62 * area.label.length)) }, area.label.replace("+-", "±")));
    }
    this.layers.overlay.replaceChildren(...parts);
    if (this.still) return;
    // Smaller marks leave room for the letters.
    for (const spot of this.spots) this.sizeMark(spot, areas.length ? 0.72 * MARK : MARK);
  }

  // The place of an area's letter in its first square, away from marks: those of upright pieces lie on the lines between
  // rows, those of flat pieces on the lines between columns, those of stones in the middle.
  labelPlace() {
    const along = (axis) => this.view.moves.length && this.view.moves.every(({ squares }) => squares.length > 1 && squares[0][axis] === squares[1][axis]);
    if (along(1)) return [5, SIZE / 2 + 4];
    return along(0) ? [SIZE / 2 - 4, 14] : [4, 13];
  }

  // The move nearest to a point of a square: each half of a square chooses the domino on that side.
  nearest({ row, col, x, y }) {
    const far = (move) => Math.hypot(this.place(move)[0] - x, this.place(move)[1] - y);
    return this.movesAt(keyOf([row, col])).sort((one, two) => far(one) - far(two))[0] ?? null;
  }

  at(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.root.getScreenCTM().inverse());
    const row = Math.floor((point.y - MARGIN) / this.pitch) + 1;
    const col = Math.floor((point.x - this.left([row, 1])) / SIZE) + 1;
    const { rows, cols } = this.view;
    return row >= 1 && col >= 1 && row <= rows && col <= cols ? { row, col, x: point.x, y: point.y } : null;
  }

  // A press focuses the board as a whole, so that arrow keys go through the game. On a touch screen it shows the move.
  press(event) {
    if (event.button) return;
    event.preventDefault();
    this.host.focus({ preventScroll: true });
    const place = this.at(event);
    if (this.drawing && place) {
      this.root.setPointerCapture(event.pointerId);
      this.paint(place);
    } else if (event.pointerType === "touch") this.hover(event);
  }

  // Takes a square away or gives it back, as the first one of the stroke.
  paint({ row, col }) {
    const { classList } = this.cells.get(keyOf([row, col]));
    this.painting ??= !classList.contains("blocked");
    classList.toggle("blocked", this.painting);
  }

  release(event) {
    if (this.painting === null) return event.type === "pointercancel" && this.preview(null);
    this.painting = null;
    this.labelCells();
  }

  // The squares that were drawn over, as row,column.
  turned() {
    const away = new Set(this.view.blocked.map(keyOf));
    return [...this.cells].filter(([key, { classList }]) => classList.contains("blocked") !== away.has(key)).map(([key]) => key);
  }

  hover(event) {
    if (this.painting !== null) {
      for (const one of event.getCoalescedEvents?.() ?? [event]) if (this.at(one)) this.paint(this.at(one));
      return;
    }
    if (this.drawing || !this.enabled || this.chosen) return;
    const place = this.at(event);
    this.preview(place && this.nearest(place));
  }

  click(event) {
    const place = this.at(event);
    if (place && !this.drawing) this.tap({ ...place, left: event.clientX, top: event.clientY, time: event.timeStamp, touch: event.pointerType === "touch" });
  }

  // Chooses a move by a press on a square.
  tap(press) {
    if (!this.enabled) return this.early.push(press);
    // The second click of a double click is not meant for the next position.
    if (this.last && press.time - this.last.time < 500 && Math.hypot(press.left - this.last.left, press.top - this.last.top) < 12) return;
    const square = [press.row, press.col];
    if (this.path.length && !this.movesAt(keyOf(square)).length) this.walk([]);
    const move = this.nearest(press);
    const small = this.cells.get(keyOf([1, 1])).getBoundingClientRect().width < 32;
    if (press.touch && small && move && this.isWhole(move) && this.chosen !== move) {
      this.chosen = move;
      return this.preview(move);
    }
    this.chosen = null;
    if (!move) return;
    if (!this.isWay(move)) this.last = press;
    this.choose(square, move);
  }

  // Lets the visitor choose moves, beginning with the presses that were early; or not.
  open(on) {
    this.enabled = on;
    while (this.enabled && this.early.length) this.tap(this.early.shift());
  }

  // Plays a move if its squares are complete; else its next square is waited for.
  choose(square, move) {
    this.preview(null);
    if (!this.isWhole(move)) return this.walk([...this.path, square]);
    if (this.path.length) this.walk([]);
    this.onMove(move.id);
  }

  // Shows a move before the server has answered; null removes it.
  placed(id) {
    this.enabled = id === null;
    this.preview(null);
    const move = this.view.moves.find((one) => one.id === id);
    if (move) this.drawMove(this.view.to_move, move, this.layers.pieces, "placed");
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
    const whole = move && this.isWhole(move);
    if (whole) this.drawMove(this.view.to_move, move, this.layers.ghost, "ghost");
    this.onHover(whole ? move.id : null);
  }

  // The point of a square that Enter presses: nearest to the move that starts there, or else to one that ends there.
  aim([row, col]) {
    const [x, y] = this.middle([row, col]);
    return { row, col, x: x + 1, y: y + 1 };
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
        this.paint({ row, col });
        this.release(event);
      } else this.tap(this.aim([row, col]));
    } else if (event.key === "Escape" && this.path.length) this.walk([]);
    else return;
    event.preventDefault();
  }

  focusCursor() {
    for (const cell of this.cells.values()) cell.setAttribute("tabindex", -1);
    const cell = this.cells.get(keyOf(this.cursor));
    cell.setAttribute("tabindex", 0);
    cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  focused(row, col) {
    this.cursor = [row, col];
    this.layers.ring.replaceChildren(svg("path", { class: "focus-ring", d: this.outline([row, col]) }));
    if (!this.drawing && this.enabled) this.preview(this.nearest(this.aim([row, col])));
  }

  // Labels each square for screen readers.
  labelCells() {
    const { row_labels, col_labels, player_names } = this.view;
    const texts = new Map(this.view.texts.map(({ square, text }) => [keyOf(square), text]));
    for (const [key, cell] of this.cells) {
      const [row, col] = key.split(",").map(Number);
      const moves = this.movesAt(key).filter((move) => this.isWay(move) || keyOf(move.squares[0]) === key);
      const words = [texts.get(key) ?? `row ${row_labels[row - 1]}, column ${col_labels[col - 1]}`];
      words.push(this.taken.has(key) ? player_names[this.taken.get(key)] : cell.classList.contains("blocked") ? "blocked" : "free");
      const { node } = this.spots.find((spot) => spot.moves[0] === moves[0]) ?? {};
      const distance = moves.length === 1 ? distanceWords(this.distances[moves[0].id]) : "";
      if (node) words.push(`${moves.length === 1 ? `move ${moves[0].id}` : plural(moves.length, "move")}${this.marksShown === false ? "" : `: ${MARK_WORDS[node.dataset.mark]}${distance}`}`);
      cell.setAttribute("aria-label", words.join(", "));
    }
  }
}

export const distanceWords = (distance) => (distance ? ` in ${distance.exact ? "" : "at least "}${plural(distance.moves, "move")}` : "");

const touch = ([one, two = one]) => Math.abs(one[0] - two[0]) + Math.abs(one[1] - two[1]) <= 1;
