// Requests to the server: JSON answers, server-sent events, and one kind of error with a sentence.

export class Refused extends Error {
  // wait: seconds after which to ask again; longer: whether more time may help.
  constructor(status, sentence, wait = 0, longer = false) {
    super(sentence);
    Object.assign(this, { status, wait, longer });
  }
}

function address(path, parameters = {}) {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null));
  return `api/${path}${query.size ? `?${query}` : ""}`;
}

async function ask(path, parameters, options) {
  let answer;
  try {
    answer = await fetch(address(path, parameters), options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused(0, "The server does not answer. Is `zermelo serve` still running?");
  }
  if (answer.ok) return answer;
  const { detail, longer } = await answer.json().catch(() => ({})); // no JSON
  throw new Refused(answer.status, detail ?? `The server answered ${answer.status}.`, Number(answer.headers.get("Retry-After")) || 0, longer);
}

// Asks a busy server again a few times before showing its refusal.
async function patiently(path, parameters, options) {
  for (let attempt = 0; ; attempt++) {
    try {
      return await ask(path, parameters, options);
    } catch (error) {
      if (!error.wait || attempt === 3) throw error;
      await new Promise((resolve) => setTimeout(resolve, error.wait * 1000));
      options?.signal?.throwIfAborted();
    }
  }
}

export async function getJson(path, parameters, signal) {
  return (await patiently(path, parameters, { signal })).json();
}

export async function post(path, body, parameters) {
  return (await ask(path, parameters, { method: "POST", body, headers: { "Content-Type": "application/octet-stream" } })).json();
}

// Calls onEvent for each event until the server ends the stream.
export async function stream(path, parameters, onEvent, signal) {
  const answer = await patiently(path, parameters, { signal });
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const pieces = (rest + value).split("\n\n");
    rest = pieces.pop();
    for (const piece of pieces) {
      if (piece.startsWith("data: ")) onEvent(JSON.parse(piece.slice(6)));
    }
  }
}

export const pictureAddress = address;
