import { Outline } from "outlinekit";
import { createIndexedDbStorage } from "outlinekit/indexeddb";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { Boundary } from "./boundary.tsx";

const outline = new Outline({ storage: createIndexedDbStorage("react-example") });

createRoot(document.body).render(
	<StrictMode>
		<Boundary>
			<App outline={outline} />
		</Boundary>
	</StrictMode>,
);
