/**
 * An outline over a storage: nodes in a tree, mirrors, completion, a calendar, an inbox, shortcuts, and names
 * with Markdown.
 *
 * {@link Outline} is the class to begin with. {@link StorageAdapter} is the contract of storages; each
 * storage of the package has an entry point of its own. `outlinekit/markup` has functions for texts without
 * an outline. Every failure is an {@link OutlineError}.
 *
 * ```ts
 * import { Outline } from "outlinekit";
 * import { createMemoryStorage } from "outlinekit/memory";
 *
 * const outline = new Outline({ storage: createMemoryStorage() });
 * const node = await outline.create({ name: "# Trip to **Oslo**" });
 * console.log(node.name, node.layoutMode); // Trip to <b>Oslo</b> h1
 * ```
 *
 * @module outlinekit
 */

export type { ChangedKey, OutlineChange, OutlineEvent, PendingCommit, WriteReport } from "./engine/event.js";
export type { HistoryOptions, OutlineOptions } from "./engine/settings.js";
export type { OutlineListener } from "./engine/subscription.js";
export { type KnownJournal, OutlineError, type OutlineErrorCode, type OutlineErrorDetails } from "./errors.js";
export type { OutlineExport } from "./exchange/export.js";
export type { ImportDialect } from "./exchange/format-module.js";
export type { ExchangeFormat } from "./exchange/formats.js";
export type { ImportReport } from "./exchange/import.js";
export type { Lost } from "./exchange/loss.js";
export type { ExportOptions, ImportOptions } from "./exchange/options.js";
export type { ExchangeProgress, ExchangeSignal, ProgressOptions } from "./exchange/progress.js";
export type { ImportSource } from "./exchange/source.js";
export type { HistoryCounts, HistoryStep } from "./history/history.js";
export type { LayoutMode } from "./layout-mode.js";
export type { Block } from "./markup/block.js";
export type { FromMarkdownOptions } from "./markup/from-markdown.js";
export type { ToMarkdownOptions } from "./markup/write/to-markdown.js";
export type { OutlineNode } from "./node.js";
export type { BatchOperation, BatchPosition, BatchReference, BatchResult } from "./operations/batch.js";
export type { CreateInput } from "./operations/create.js";
export type { CreateTreeInput, OutlineTree, TreeInput } from "./operations/create-tree.js";
export type { DeleteInput, DeletionPlan, MirrorPolicy } from "./operations/delete/delete.js";
export type { DuplicateInput } from "./operations/duplicate.js";
export type { IdempotencyInput } from "./operations/idempotency.js";
export type { MirrorInput } from "./operations/mirror.js";
export type { MoveInput } from "./operations/move.js";
export type { TextFormat } from "./operations/name.js";
export type { UpdateInput } from "./operations/update.js";
export { Outline } from "./outline.js";
export type { Position } from "./place/priority.js";
export type { JsonValue, Properties, PropertyChanges } from "./properties.js";
export type { ChangesInput, OutlineChanges, PruneInput } from "./read/changes.js";
export type { NodeList } from "./read/get.js";
export type {
	BacklinksInput,
	HitAncestor,
	HitRanges,
	SearchHit,
	SearchHitOf,
	SearchInput,
	TextRange,
} from "./read/search/options.js";
export type { Target } from "./read/targets.js";
export type { Occurrence, Walk, WalkOptions } from "./read/walk.js";
export type { ReferenceText } from "./reference/reference.js";
export type { ScopedOutline, ScopeOptions } from "./scope/scoped-outline.js";
export type {
	Answer,
	AnswerByType,
	Answers,
	Batch,
	BatchHints,
	ChangedSince,
	ChildrenScope,
	CommitNotice,
	DisposableStorage,
	Document,
	DocumentChanges,
	Key,
	KeyChange,
	KeyRecord,
	KeyTombstone,
	Locator,
	Neighbours,
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
export type { SyncAnswer } from "./sync/protocol.js";
export type { SyncImageInput } from "./sync/server/image.js";
export type { Problem, ProblemCounts, ProblemKind } from "./verify/problem.js";
export type { RepairReport } from "./verify/repair/repair.js";
export type { Repair } from "./verify/repair/repair-report.js";
export type { VerifyOptions, VerifyProgress, VerifyReport } from "./verify/verify.js";
