import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["**/preact.js", "**/qrcode.js", "**/node_modules"] },
  js.configs.recommended,
  {
    files: ["advisor/**/*.js"],
    languageOptions: { ecmaVersion: "latest", globals: globals.browser },
  },
  {
    files: ["tests/**/*.js"],
    languageOptions: { ecmaVersion: "latest", globals: globals.node },
  },
  {
    rules: {
      eqeqeq: "error",
      "no-var": "error",
      "prefer-const": ["error", { destructuring: "all" }],
      "no-implicit-coercion": "error",
      "object-shorthand": "error",
      "prefer-template": "error",
      "no-restricted-globals": ["error", "event", "name", "top", "parent", "length", "status"],
    },
  },
];
