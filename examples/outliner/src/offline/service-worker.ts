// A script without imports and exports, beside index.html, whose folder it serves.
declare const self: ServiceWorkerGlobalScope;

/** The build inserts this: all files of the outliner, and the version of the build. */
declare const precache: {
	readonly revision: string;
	readonly files: readonly import("./precached-file.js").PrecachedFile[];
};

const prefix = "outliner-";
const name = prefix + precache.revision;
const urls = new Set(precache.files.map(({ path }) => new URL(path, self.registration.scope).href));

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("message", ({ data }) => {
	if (data === "activate") void self.skipWaiting();
});
self.addEventListener("fetch", (event) => {
	const url = new URL(event.request.url);
	url.search = url.hash = "";
	// All else, such as an interface beside the outliner, isn't touched.
	if (event.request.method === "GET" && urls.has(url.href)) event.respondWith(answer(event.request, url.href));
});

/** Fetches all files. While the server changes from one build to another, refuses files of two builds. */
async function install(): Promise<void> {
	const cache = await caches.open(name);
	await cache.addAll(precache.files.map(({ path, integrity }) => new Request(path, { cache: "no-cache", integrity })));
}

async function activate(): Promise<void> {
	const old = (await caches.keys()).filter((key) => key.startsWith(prefix) && key !== name);
	await Promise.all(old.map((key) => caches.delete(key)));
	// The page that has brought it may go offline from now on.
	await self.clients.claim();
}

async function answer(request: Request, url: string): Promise<Response> {
	const cache = await caches.open(name);
	// The browser may have thrown it out.
	return (await cache.match(url)) ?? fetch(request);
}
