import { CATALOGUE, type Product } from "./catalogue.ts";
import type { HelpPage } from "./help-pages.ts";

/** A placeholder for the widget's origin; the site replaces it with a validated one. */
export const WIDGET_ORIGIN = "{{widget-origin}}";
/** A placeholder for the origin of the page itself. */
export const PAGE_ORIGIN = "{{page-origin}}";

/** The shop's front page. */
export function homePage(): string {
  return layout(
    "Things for a calm house",
    `<section class="hero">
  <div class="hero-text">
    <p class="over">Winter at the harbour</p>
    <h1>Things for a calm&nbsp;house.</h1>
    <p class="lead">Oak, wool, clay and iron, made to be used every day and mended when they need it.</p>
    <p class="acts"><a class="act" href="#shelf">See the shelf</a><a class="plain" href="/product/lamp">The Pierhead lamp</a></p>
  </div>
  <img class="hero-image" src="/demo/harbour.svg" width="720" height="560" alt="A small harbour at dusk: pines on the hill, one lit window, a boat at the quay.">
</section>
<ul class="promises">
  <li><strong>Free delivery</strong> in the UK from £50</li>
  <li><strong>30 days</strong> to change your mind</li>
  <li><strong>Mended in Bristol</strong>, also years later</li>
</ul>
<section id="shelf" aria-labelledby="shelf-title">
  <h2 id="shelf-title">On the shelf</h2>
  <ul class="shelf">
${CATALOGUE.map(card).join("\n")}
  </ul>
</section>
${developerNote()}`,
  );
}

/** One product's page. Its links are plain: the conversation continues after each navigation. */
export function productPage(product: Product): string {
  const { slug, name, price, line, story, facts } = product;
  const rows = facts.map(([key, value]) => `<div><dt>${key}</dt><dd>${value}</dd></div>`).join("");
  return layout(
    name,
    `<p class="trail"><a href="/#shelf">On the shelf</a> <span aria-hidden="true">/</span> ${name}</p>
<article class="product">
  <img src="/demo/${slug}.svg" width="480" height="480" alt="">
  <div>
    <h1>${name}</h1>
    <p class="line">${line}</p>
    <p class="price">${price}</p>
    <p class="story">${story}</p>
    <dl>${rows}</dl>
    <p class="hint">Would it suit your table? How does it travel? Ask in the chat: the conversation stays while you look around.</p>
  </div>
</article>
${developerNote()}`,
  );
}

/** The list of help articles. */
export function helpIndexPage(pages: readonly HelpPage[]): string {
  const links = pages.map(({ slug, title }) => `<li><a href="/help/${slug}">${title}</a></li>`).join("");
  return layout("Help", `<article class="help"><h1>Help</h1><ul>${links}</ul></article>`);
}

/** One help article; the agent's sources link here. */
export function helpPage({ title, html }: HelpPage): string {
  return layout(
    title,
    `<p class="trail"><a href="/help">Help</a> <span aria-hidden="true">/</span> ${title}</p>
<article class="help">${html}</article>`,
  );
}

/** The page for an unknown address. */
export function missingPage(): string {
  return layout(
    "Not on our shelves",
    `<section class="missing"><h1>Not on our shelves.</h1><p class="lead">There is nothing at this address.</p><p class="acts"><a class="act" href="/">Back to the shop</a></p></section>`,
  );
}

function card({ slug, name, price, line }: Product): string {
  return `    <li><a class="card" href="/product/${slug}"><img src="/demo/${slug}.svg" width="480" height="480" alt=""><span class="name">${name}</span><span class="price">${price}</span><span class="line">${line}</span></a></li>`;
}

function developerNote(): string {
  return `<aside class="note" aria-labelledby="note-title">
  <h2 id="note-title">For developers</h2>
  <p>This shop is made up, and its pages hold no script but one tag, the last line of their head:</p>
  <pre><code>&lt;script async src="${WIDGET_ORIGIN}/widget.js"&gt;&lt;/script&gt;</code></pre>
  <p>The page comes from <b>${PAGE_ORIGIN}</b>, the chat from <b>${WIDGET_ORIGIN}</b>: two origins, as on a real site. Ask for a person and answer as that person at <a href="/desk">the desk</a>.</p>
</aside>`;
}

function layout(title: string, main: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Harbour &amp; Pine</title>
<meta name="description" content="A made-up shop for home goods that shows the Parley support chat.">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/demo/mark.svg" type="image/svg+xml">
<link rel="stylesheet" href="/demo/shop.css">
<script async src="${WIDGET_ORIGIN}/widget.js" data-title="Harbour &amp; Pine" data-greeting="Hello! Ask about delivery, returns, care, or anything on the shelf."></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header>
  <a class="brand" href="/"><img src="/demo/mark.svg" width="28" height="28" alt=""><span>Harbour &amp; Pine</span></a>
  <nav aria-label="Shop"><a href="/#shelf">Shelf</a><a href="/product/throw">Wool</a><a href="/product/mug">Clay</a><a href="/help">Help</a></nav>
</header>
<main id="main">
${main}
</main>
<footer>Harbour &amp; Pine, 14 Wharf Lane, Bristol. A made-up shop: nothing here is for sale.</footer>
</body>
</html>
`;
}
