export type { BatchOperation, BatchPosition, BatchReference, BatchResult } from "./batch.js";
export type { OutlineChange, OutlineEvent } from "./change.js";
export { OutlineError, type OutlineErrorCode, type OutlineErrorDetails } from "./errors.js";
export type { ChangesInput, OutlineChanges } from "./feed.js";
export type { LayoutMode } from "./layout-mode.js";
export { type ToMarkdownOptions, toMarkdown } from "./markup/to-markdown.js";
export { toText } from "./markup/to-text.js";
export type { OutlineNode } from "./node.js";
export type { Position } from "./order.js";
export {
	type CreateInput,
	type CreateTreeInput,
	type MirrorInput,
	type MoveInput,
	Outline,
	type UpdateInput,
} from "./outline.js";
export type { DeletionPlan } from "./removal.js";
export type { SearchHit, SearchInput } from "./search/outline-search.js";
export type { OutlineOptions } from "./settings.js";
export type {
	Answer,
	Answers,
	Batch,
	ChangedSince,
	ChildrenScope,
	CommitNotice,
	KeyChange,
	KeyRecord,
	Locator,
	NodeChange,
	NodeRecord,
	Peek,
	Query,
	Snapshot,
	StorageAdapter,
	StoredKey,
	StoredNode,
	Subtree,
	Tombstone,
} from "./storage.js";
export { relatedIds } from "./storage.js";
export type { OutlineListener } from "./subscription.js";
export type { Target } from "./target.js";
export type { TextFormat } from "./text.js";
export type { NodeList } from "./tree.js";
export type { OutlineTree, TreeInput } from "./tree-input.js";
export type { Occurrence, Walk, WalkOptions } from "./walk.js";
