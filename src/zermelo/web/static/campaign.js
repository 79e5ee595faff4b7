// The progress of campaigns, updated while the page is visible.

import { getJson, getText } from "./api.js";
import { byId, capital, dataAddress, el, plural, report, say } from "./page.js";

async function card({ campaign, status, units, proved, lines }) {
  const share = Math.round((100 * proved) / (units || 1));
  const pictures = await Promise.all(["units", "nodes", "plan"].map((of) => getText(`campaigns/${encodeURIComponent(campaign)}/picture`, { of })));
  return el("section", { class: "card campaign", "data-campaign": campaign },
    el("h2", {}, `${campaign}: ${status}`),
    el("progress", { max: 100, value: share, "aria-label": `${share} percent of the units proved` }, `${share} %`),
    el("table", { class: "facts" }, ...lines.map(([name, words]) => el("tr", {}, el("th", { scope: "row" }, capital(name)), el("td", {}, words)))),
    el("div", { class: "plots" }, ...pictures.map((picture) => el("img", { src: dataAddress(picture), alt: /<title>(.*?)</.exec(picture)[1], width: 340, height: 150 }))),
  );
}

async function update() {
  const { store, campaigns } = await getJson("campaigns");
  // Screen readers read the status aloud: change it only when it says something new.
  const text = !store ? "This server shows no campaigns. Start it with: zermelo serve --store FILE" :
    campaigns.length ? `${plural(campaigns.length, "campaign")}: ${campaigns.map((one) => `${one.campaign} ${one.status}`).join(", ")}` :
    "The store holds no campaign yet. Plan one with: zermelo campaign new";
  if (byId("status").textContent !== text) say(text);
  const now = JSON.stringify(campaigns);
  every = now === before ? Math.min(2 * every, SELDOM) : OFTEN;
  byId("updated").textContent = `Updated ${new Date().toLocaleTimeString()}; again in ${every / 1000} s.`;
  if (now !== before) byId("campaigns").replaceChildren(...await Promise.all(campaigns.map(card)));
  before = now;
}

// Asks often while something changes, and less often while nothing does.
const [OFTEN, SELDOM] = [2000, 30_000];
let every = OFTEN;
let before = "";

for (;;) {
  if (!document.hidden) await update().catch(report);
  await new Promise((resolve) => setTimeout(resolve, every));
}
