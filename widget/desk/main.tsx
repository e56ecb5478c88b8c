import "../elements/look.css";
import "./css/desk.css";
import { effect } from "@preact/signals";
import { render } from "preact";
import { Failure } from "../../shared/errors.ts";
import { ifAny } from "../client/if-any.ts";
import { uploadByXhr } from "../client/xhr-upload.ts";
import { createBrowserAlerts } from "./browser-alerts.ts";
import { watchColumns } from "./columns.ts";
import { DETAILS, parseCustomerFragment, parsePageFragment, parseSetUpFragment } from "./desk-address.ts";
import { createDeskClient } from "./desk-client.ts";
import { DeskModel } from "./desk-model.ts";
import { DeskApp } from "./screens/desk-app.tsx";
import { createServiceClock } from "./service-clock.ts";

const root = document.getElementById("desk");
if (!root) throw new Error("The desk's page has no element to draw in.");

const clock = createServiceClock(() => Date.now());

const desk = new DeskModel({
  client: createDeskClient({
    fetch: (path, init) => fetch(path, init),
    upload: uploadByXhr((code) => new Failure(code)),
    timeout: (ms) => AbortSignal.timeout(ms),
    onAnswer: clock.hear,
  }),
  setTimer(run, ms) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
  newId: () => crypto.randomUUID(),
  now: clock.now,
  isPresent: () => document.visibilityState === "visible" && document.hasFocus(),
  columns: watchColumns((query) => matchMedia(query)),
  deskUrl: location.origin + location.pathname.replace(/\/$/, ""),
  alerts: createBrowserAlerts(window),
  addresses: URL,
  tabStorage: ifAny(() => sessionStorage),
  copy: (text) => navigator.clipboard.writeText(text),
});

/** Shows what the address names. Returns whether that is a one-time link. */
function followAddress(): boolean {
  const token = parseSetUpFragment(location.hash);
  if (token === undefined) {
    desk.follow(location.hash);
    return false;
  }
  // The secret leaves the address bar and the history before anything else can read it there.
  history.replaceState(null, "", location.pathname + location.search);
  void desk.openLink(token);
  return true;
}

if (!followAddress()) void desk.resume();

/** While the desk itself goes back, its page is right and the address is late. */
let isGoingBack = false;

/**
 * Writes what is shown into the address. The state of an entry that the desk adds is the fragment of the one before it.
 */
function writeAddress(fragment: string | undefined): void {
  if (fragment === undefined || fragment === location.hash || isGoingBack) return;
  const address = location.pathname + location.search + fragment;
  const isFromQueue = location.hash === "" && desk.board.columns.peek() === 1;
  // Back leads to the customer's page from which a conversation was opened.
  const isFromCustomer = parseCustomerFragment(location.hash) !== undefined;
  const isDetails = fragment === location.hash + DETAILS;
  if (fragment === history.state) {
    isGoingBack = true;
    history.back();
  } else if (isFromQueue || isFromCustomer || isDetails || parsePageFragment(fragment))
    history.pushState(location.hash, "", address);
  else history.replaceState(history.state, "", address);
}
effect(() => writeAddress(desk.fragment.value));

const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
const usualIcon = icon?.href ?? "";
const markedIcon = new URL("./icon-marked.svg", import.meta.url).href;
effect(() => {
  document.title = desk.title.value;
  if (icon) icon.href = desk.isNeeded.value ? markedIcon : usualIcon;
});
// Each move in the history, also to an entry with the same address.
addEventListener("popstate", () => {
  if (!isGoingBack) followAddress();
  isGoingBack = false;
  writeAddress(desk.fragment.peek());
});
addEventListener("focus", () => {
  desk.board.look();
  void desk.comeBack();
});
addEventListener("online", () => desk.board.wake());
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") desk.board.wake();
});
addEventListener("beforeunload", (event) => {
  if (desk.unsent.value) event.preventDefault();
});

render(<DeskApp desk={desk} />, root);
