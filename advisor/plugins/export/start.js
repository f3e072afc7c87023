// Opens a page without a server: unpacks its parts, starts the worker with the game, then the page.
(async () => {
  const said = (text) => (document.getElementById("status").textContent = text);
  try {
    const octets = Uint8Array.from(atob(document.getElementById("packed").textContent), (sign) => sign.charCodeAt(0));
    const stream = new Blob([octets]).stream().pipeThrough(new DecompressionStream("gzip"));
    // The length of a text, the text as JSON, then the code of the functions.
    const whole = await new Response(stream).arrayBuffer();
    const code = 4 + new DataView(whole).getUint32(0, true);
    const { style, page, engine, game } = JSON.parse(new TextDecoder().decode(new Uint8Array(whole, 4, code - 4)));
    for (const tables of Object.values(game.functions)) tables.code = new Uint8Array(whole.slice(code + tables.code[0], code + tables.code[1]));
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
    // An address that names no game is the page's usual one, which may be missing here.
    const own = `#game=${encodeURIComponent(game.name)}`;
    const keep = () => (new URLSearchParams(location.hash.slice(1)).get("game") ?? "connect4") === game.name || history.replaceState(null, "", own);
    keep();
    window.addEventListener("popstate", keep);
    document.getElementById("brand").href = own;
    await import(address(page));
  } catch (error) {
    said(`This page cannot be shown: ${error.message}`);
    throw error;
  }
})();
