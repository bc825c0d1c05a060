#!/usr/bin/env node
// The executable: checks the Node version, then runs oclif.
import { continueOnLocalNode, isNodeRecentEnough } from "./node-version.js";

if (isNodeRecentEnough()) await import("./oclif.js");
else continueOnLocalNode();
