// The progress of campaigns, updated while the page is visible.

import { getJson } from "./api.js";
import { byId, el, plural, report, svg, whole } from "./page.js";
import { GAMES, nameOf } from "./state.js";

const SHORT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const short = (value) => (value === null ? "unknown" : SHORT.format(value));

function duration(seconds) {
  if (seconds === null) return "unknown";
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  return `${Math.floor(seconds / 86400)} d ${Math.floor((seconds % 86400) / 3600)} h`;
}

function card(report) {
  const share = report.units ? report.proved / report.units : 0;
  const rows = [
    ["Units", `${whole(report.proved)} of ${whole(report.units)} proved, ${whole(report.refuted)} refuted, ${whole(report.leased)} handed out`],
    ["Work done", `${report.nodes === 1 ? "1 node" : `${short(report.nodes)} nodes`} in ${duration(report.seconds)} of computing`],
    ["Work left", report.proved === report.units ? "none" : report.remaining_nodes === null ? "unknown yet" : `about ${short(report.remaining_nodes)} nodes (${short(report.remaining_low)} to ${short(report.remaining_high)})${report.rough ? ", rough: few units are finished" : ""}`],
    ["Speed", report.nodes_per_second === null ? "unknown yet" : `${short(report.nodes_per_second)} nodes a second and worker`],
    ["Trouble", report.failures || report.given_up ? `${plural(report.failures, "failure")}, ${plural(report.given_up, "unit")} given up` : "none"],
  ];
  return el("section", { class: "card campaign", "data-campaign": report.campaign },
    el("h2", {}, `${report.campaign}: ${report.status}`),
    el("p", {}, `Claim: ${nameOf(GAMES.get(report.game), report.winner)} wins ${report.game} ${report.spec}${report.first ? `, ${nameOf(GAMES.get(report.game), report.first)} starting` : ""}.`),
    el("progress", { max: 1, value: share, "aria-label": `${Math.round(100 * share)} percent of the units proved` }, `${Math.round(100 * share)} %`),
    el("table", { class: "facts" }, ...rows.map(([name, text]) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, text)))),
    el("div", { class: "plots" }),
  );
}

// A line through (x, y), scaled to a box, with its ends labelled.
function plot(title, xs, ys, formatX, formatY) {
  const [width, height, margin] = [340, 150, 30];
  const [right, high] = [Math.max(...xs, 1e-9), Math.max(...ys, 1)];
  const points = xs.map((x, i) => `${margin + (x / right) * (width - 2 * margin)},${height - margin - (ys[i] / high) * (height - 2 * margin)}`);
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "plot", role: "img", "aria-label": `${title}: ${formatY(high)} after ${formatX(right)}` },
    svg("text", { x: margin, y: 16 }, title),
    svg("path", { class: "axis", d: `M${margin} ${margin - 6}V${height - margin}H${width - margin + 6}` }),
    svg("polyline", { class: "line", points: [`${margin},${height - margin}`, ...points].join(" ") }),
    svg("text", { x: width - margin, y: height - 12, "text-anchor": "end" }, formatX(right)),
    svg("text", { x: margin + 4, y: margin + 4 }, formatY(high)),
  );
}

// Units of the plan by ply.
function bars(title, plies) {
  const [width, height, margin] = [340, 150, 30];
  const high = Math.max(...plies.map((one) => one.positions), 1);
  const wide = (width - 2 * margin) / Math.max(plies.length, 1);
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "plot", role: "img", "aria-label": title },
    svg("text", { x: margin, y: 16 }, `${title} (${short(high)} at most)`),
    ...plies.flatMap((one, index) => {
      const tall = (one.positions / high) * (height - 2 * margin);
      return [
        svg("rect", { class: "bar-mark", x: margin + index * wide + 1, y: height - margin - tall, width: Math.max(wide - 2, 1), height: tall }),
        svg("text", { x: margin + (index + 0.5) * wide, y: height - 12, "text-anchor": "middle" }, one.ply),
      ];
    }),
    svg("path", { class: "axis", d: `M${margin} ${height - margin}H${width - margin}` }),
  );
}

async function update() {
  const { store, campaigns } = await getJson("campaigns");
  // Screen readers read the status aloud: change it only when it says something new.
  const text = !store ? "This server shows no campaigns. Start it with: zermelo serve --store FILE" :
    campaigns.length ? `${plural(campaigns.length, "campaign")}: ${campaigns.map((one) => `${one.campaign} ${one.status}`).join(", ")}` :
    "The store holds no campaign yet. Plan one with: zermelo campaign new";
  if (byId("status").textContent !== text) byId("status").textContent = text;
  byId("updated").textContent = `Updated ${new Date().toLocaleTimeString()}; every ${every / 1000} s while it changes.`;
  const now = JSON.stringify(campaigns);
  every = now === before ? Math.min(2 * every, SELDOM) : OFTEN;
  if (now === before) return;
  before = now;
  const cards = campaigns.map(card);
  await Promise.all(cards.map(async (one, index) => {
    const seen = await getJson(`campaigns/${encodeURIComponent(campaigns[index].campaign)}/history`);
    const box = one.querySelector(".plots");
    if (seen.units.length > 1) {
      box.append(plot("Units finished", seen.seconds, seen.units, duration, short), plot("Nodes searched", seen.seconds, seen.nodes, duration, short));
    }
    if (campaigns[index].plies.length) box.append(bars("Positions of the plan by ply", campaigns[index].plies));
  }));
  byId("campaigns").replaceChildren(...cards);
}

// Asks often while something changes, and less often while nothing does.
const [OFTEN, SELDOM] = [2000, 30_000];
let every = OFTEN;
let before = "";

async function live() {
  for (;;) {
    if (!document.hidden) {
      try {
        await update();
        byId("status").classList.remove("bad");
      } catch (error) {
        report(error);
      }
    }
    await new Promise((resolve) => setTimeout(resolve, every));
  }
}

live();
