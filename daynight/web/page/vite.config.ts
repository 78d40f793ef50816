import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// One script and one style sheet, named by their hashes: what the server may call immutable, and an export can embed.
export default defineConfig({
  base: "/",
  plugins: [svelte({ compilerOptions: { runes: true } })],
  build: {
    outDir: "../static",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    sourcemap: false,
    target: "es2022",
    reportCompressedSize: false,
  },
});
