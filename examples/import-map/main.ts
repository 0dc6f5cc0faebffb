// Run it with: npx tsx examples/import-map/main.ts

import { startServer } from "./server.ts";

const { address } = await startServer(Number(process.env.PORT || 3001));
console.log(`Open ${address} in your browser. Ctrl-C stops it.`);
