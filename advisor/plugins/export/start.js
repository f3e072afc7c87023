// Opens a page without a server: unpacks its parts, starts the worker with the game, then the page.
(async () => {
  const said = (text) => (document.getElementById("status").textContent = text);
  try {
    const octets = Uint8Array.from(atob(document.getElementById("packed").textContent), (sign) => sign.charCodeAt(0));
    const stream = new Blob([octets]).stream().pipeThrough(new DecompressionStream("gzip"));
    const { style, page, engine, game } = await new Response(stream).json();
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    document.adoptedStyleSheets = [sheet];
    const address = (text) => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    const worker = new Worker(address(engine));
    globalThis.advisorGame = new Promise((resolve, reject) => {
      worker.onerror = () => reject(new Error("this browser cannot run the game"));
      worker.onmessage = ({ data }) => {
        if (data.started) worker.postMessage({ game });
        if (data.ready) resolve({ worker, name: game.name });
        if (data.broken) reject(new Error(data.broken));
      };
    });
    const known = new URLSearchParams(location.hash.slice(1));
    if (known.get("game") !== game.name) history.replaceState(null, "", `#game=${encodeURIComponent(game.name)}`);
    await import(address(page));
  } catch (error) {
    said(`This page cannot be shown: ${error.message}`);
    throw error;
  }
})();
