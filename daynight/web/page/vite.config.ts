import { svelte } from "@sveltejs/vite-plugin-svelte";
import { readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

// The service worker is as it was written, but for the names of the files that it keeps: so it changes with each of them.
function worker(): Plugin {
  return {
    name: "worker",
    enforce: "post",
    generateBundle(_options, bundle) {
      const files = Object.keys(bundle).filter((name) => /\.(js|css)$/.test(name)).sort();
      const source = readFileSync("src/worker/service-worker.js", "utf8");
      const named = source.replace("const FILES = [];", `const FILES = ${JSON.stringify(files.map((name) => `/${name}`))};`);
      this.emitFile({ type: "asset", fileName: "assets/service-worker.js", source: named });
    },
  };
}

// One script and one style sheet, named by their hashes: what the server may call immutable, and an export can embed.
export default defineConfig({
  base: "/",
  plugins: [svelte({ compilerOptions: { runes: true } }), worker()],
  build: {
    outDir: "../static",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    sourcemap: false,
    target: "es2022",
    reportCompressedSize: false,
    // What of other people's is in the bundle, and under which licences: the wheel carries it.
    license: { fileName: "THIRD-PARTY.md" },
  },
});
