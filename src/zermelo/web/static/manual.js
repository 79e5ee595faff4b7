// A page of the documentation: its text comes with it.

import { topBar } from "./page.js";

topBar();
