import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/desk.css";
import "./styles/sign.css";
import "./styles/table.css";
import "./styles/print.css";
import { mount } from "svelte";
import App from "./App.svelte";

const target = document.getElementById("page");
if (target) mount(App, { target });
