// The record of a game: a tree of all moves that were tried. Going back loses nothing; going forward follows the latest
// line. It is kept for the session, and written as text with one line for each variation.

import { session } from "./page.js";

const node = (move = null, parent = null) => ({ move, parent, children: [], following: null });

// The next place: on the latest line, or after the first move that was tried there.
export const nextOf = (place) => place.following ?? place.children[0] ?? null;

export class Record {
  constructor(lines = []) {
    this.root = node();
    this.at = this.root;
    for (const line of [...lines].reverse()) this.walk(line);
    this.at = this.root;
  }

  static movesTo(place) {
    const moves = [];
    for (let one = place; one.parent; one = one.parent) moves.unshift(one.move);
    return moves;
  }

  get moves() { return Record.movesTo(this.at); }
  get empty() { return !this.root.children.length; }

  // Plays a move from here, as a new variation if it is new.
  play(move) {
    let next = this.at.children.find((child) => child.move === move);
    if (!next) this.at.children.push((next = node(move, this.at)));
    this.go(next);
    return next;
  }

  walk(moves) {
    this.at = this.root;
    for (const move of moves) this.play(move);
    return this.at;
  }

  go(place) {
    this.at = place;
    for (let one = place; one.parent; one = one.parent) one.parent.following = one;
  }

  get next() { return nextOf(this.at); }

  // The current line: the moves up to here and those after it.
  get line() {
    const places = [];
    for (let one = this.at; one.parent; one = one.parent) places.unshift(one);
    for (let one = this.next; one; one = nextOf(one)) places.push(one);
    return places;
  }

  // Removes a move that the server refused.
  drop(place) {
    const { parent } = place;
    parent.children = parent.children.filter((child) => child !== place);
    if (parent.following === place) parent.following = null;
    if (this.at === place) this.at = parent;
  }

  // Every variation from start to end, the current one first.
  lines() {
    const found = [];
    const visit = (place, moves) => {
      if (!place.children.length && moves.length) found.push(moves);
      const first = nextOf(place);
      for (const child of [first, ...place.children.filter((one) => one !== first)]) if (child) visit(child, [...moves, child.move]);
    };
    visit(this.root, []);
    return found;
  }
}

const nameOf = ({ game, start, first }) => `game ${game} ${first} ${start}`;
const MOST_KEPT = 30;

export function keep(state) {
  const name = nameOf(state);
  const others = JSON.parse(session.get("games") ?? "[]").filter((one) => one !== name);
  for (const old of others.splice(0, Math.max(0, others.length + 1 - MOST_KEPT))) session.remove(old);
  session.set("games", JSON.stringify([...others, name]));
  session.set(name, JSON.stringify(state.record.lines()));
}

// The record of a game in this session, at some place.
export function recall(state, moves) {
  const record = new Record(JSON.parse(session.get(nameOf(state)) ?? "[]"));
  record.walk(moves);
  return record;
}

export const gameText = (state) => [`game ${state.game}`, `start ${state.start}`, `first ${state.first}`, ...state.record.lines().map((line) => line.join("; "))].join("\n");

// Reads the text of a game; null if it is something else.
export function readGameText(text) {
  const [game, start, first, ...rest] = text.split("\n").map((line) => line.trim()).filter(Boolean);
  const value = (line, word) => (line?.startsWith(`${word} `) ? line.slice(word.length + 1).trim() : null);
  const head = { game: value(game, "game"), start: value(start, "start"), first: value(first, "first") };
  if (!head.game || !head.start || !head.first) return null;
  return { ...head, lines: rest.map((line) => line.split(";").map((move) => move.trim()).filter(Boolean)) };
}
