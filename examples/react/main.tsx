import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { Boundary } from "./boundary.tsx";
import { outline } from "./outline.ts";

createRoot(document.body).render(
	<StrictMode>
		<Boundary>
			<App outline={outline} />
		</Boundary>
	</StrictMode>,
);
