/**
 * Keeps Stryker from changing the messages of errors. A message may be improved at any time, so no test compares
 * it exactly. Stryker changes the codes and the other fields of errors.
 */
const messages = {
	shouldIgnore({ node, parent, key, listKey }) {
		const isText = node.type === "StringLiteral" || node.type === "TemplateLiteral";
		if (!isText || listKey !== "arguments") return undefined;
		const isMessage = parent.type === "NewExpression" && parent.callee.name === "OutlineError" && key === 1;
		const isPart = parent.type === "CallExpression" && parent.callee.name === "invalidArgument";
		return isMessage || isPart ? "It is the message of an error." : undefined;
	},
};

export const strykerPlugins = [{ kind: "Ignore", name: "messages", value: messages }];
