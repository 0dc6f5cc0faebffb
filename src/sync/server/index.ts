export { syncImage } from "./image.js";
export { sync } from "./push.js";
