import type { DeletionPlan, Occurrence, Outline, SearchHit, SearchInput, WalkOptions } from "outlinekit";

/** The methods of an outline that commands for single nodes use. An outline on a server has them by its requests. */
export interface NodeOutline
	extends Pick<Outline, "get" | "create" | "update" | "move" | "delete" | "complete" | "uncomplete" | "today"> {
	walk(ref: string | null, options: Pick<WalkOptions, "depth" | "completed" | "budget">): AsyncIterable<Occurrence>;
	search(query: string, input: SearchInput): Promise<SearchHit[]>;
	readonly plan: { delete(...given: Parameters<Outline["delete"]>): Promise<Pick<DeletionPlan, "nodeIds">> };
}
