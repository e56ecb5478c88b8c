/** Runs before each test file: files share a worker's document, and find what the one before left in it. */
document.body.replaceChildren();
