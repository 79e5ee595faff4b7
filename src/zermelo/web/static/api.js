// Requests to the server. One that gets no answer, or finds the server busy, is made again with growing pauses until it
// is answered or no longer wanted: its caller waits, so everything on the page stays as it is. A bar says why, and
// offers to try at once. Only a refusal that will not change becomes an error, with a sentence.

import { byId } from "./page.js";

export class Refused extends Error {
  constructor(status, sentence, longer) {
    super(sentence);
    Object.assign(this, { status, longer }); // longer: whether more time may help
  }
}

// A request that may be answered later.
class Lost extends Error {
  constructor(sentence = "No connection to the server.", wait = 0) {
    super(sentence);
    this.wait = wait;
  }
}

const PAUSES = [1, 2, 4, 8, 15, 30]; // seconds
const PATIENCE = 180_000; // The server answers long before, or the connection is gone.
const SILENCE = 15_000; // A stream says every two seconds that it goes on.
const [BUSY, LATE] = [[408, 429], 500]; // These statuses, and those from here on, may change.

let failures = 0; // in a row
let pausing = null; // The pause that all waiting requests share.
const waiting = new Set();

function showTrouble(error) {
  let again;
  const seconds = Math.max(error.wait, PAUSES[Math.min(failures++, PAUSES.length - 1)]);
  pausing = new Promise((resolve) => { again = resolve; }).then(() => (pausing = null));
  setTimeout(again, seconds * 1000);
  addEventListener("online", again, { once: true });
  byId("trouble-words").textContent = `${error.message} Everything here is kept.`;
  byId("trouble-pause").textContent = `Next try in ${seconds} s.`;
  byId("trouble-again").onclick = again;
  byId("trouble").hidden = false;
}

function leave(request) {
  if (!waiting.delete(request) || waiting.size) return;
  if (byId("trouble").contains(document.activeElement)) document.querySelector("main").focus();
  byId("trouble").hidden = true;
}

// Makes a request until it is read; the reader calls heard() with each piece that comes.
async function request(path, parameters, { signal = new AbortController().signal, patience = PATIENCE, ...options } = {}, read) {
  const number = Symbol(path);
  const unwanted = new Promise((_, fail) => signal.addEventListener("abort", () => fail(signal.reason)));
  unwanted.catch(() => leave(number));
  for (;;) {
    signal.throwIfAborted();
    const silent = new AbortController();
    let timer;
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(() => silent.abort(), patience);
    };
    heard();
    try {
      const answer = await fetch(address(path, parameters), { ...options, signal: AbortSignal.any([silent.signal, signal]) }).catch(lost);
      const found = await read(answer, heard);
      failures = 0;
      leave(number);
      return found;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Lost)) {
        leave(number);
        throw error;
      }
      waiting.add(number);
      if (!pausing) showTrouble(error);
      await Promise.race([pausing, unwanted]);
    } finally {
      clearTimeout(timer);
    }
  }
}

const lost = () => { throw new Lost(); };

async function accepted(answer) {
  if (answer.ok) return answer;
  const { detail, longer } = await answer.json().catch(() => ({})); // no JSON
  if (BUSY.includes(answer.status) || answer.status >= LATE) throw new Lost(detail, Number(answer.headers.get("Retry-After")) || 0);
  throw new Refused(answer.status, detail ?? `The server answered ${answer.status}.`, longer);
}

export function address(path, parameters = {}) {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null));
  return `api/${path}${query.size ? `?${query}` : ""}`;
}

const asJson = async (answer) => (await accepted(answer)).json().catch(lost);
export const getJson = (path, parameters, signal) => request(path, parameters, { signal }, asJson);
export const getText = (path, parameters) => request(path, parameters, {}, async (answer) => (await accepted(answer)).text().catch(lost));
// Any answer, also a refusal: its status, its kind and its text.
export const getAnything = (path, parameters, options) => request(path, parameters, options, async (answer) => [answer.status, answer.headers.get("Content-Type") ?? "", await answer.text().catch(lost)]);

export const post = (path, body, parameters, signal) => request(path, parameters, { method: "POST", body, signal, headers: { "Content-Type": "application/octet-stream" } }, asJson);

// Calls onEvent for each event. A stream that breaks off before the event "done" is asked for again from its start.
export const stream = (path, parameters, onEvent, signal) => request(path, parameters, { signal, patience: SILENCE }, async (answer, heard) => {
  const reader = (await accepted(answer)).body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let last = null; ;) {
    const { value, done } = await reader.read().catch(lost);
    heard();
    if (done && last !== "done") throw new Lost();
    if (done) return;
    const pieces = (rest + value).split("\n\n");
    rest = pieces.pop();
    for (const piece of pieces.filter((one) => one.startsWith("data: "))) {
      const event = JSON.parse(piece.slice(6));
      last = event.event;
      onEvent(event);
    }
  }
});
