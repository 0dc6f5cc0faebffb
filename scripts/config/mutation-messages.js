/**
 * Keeps Stryker from changing the messages of errors. A message may be improved at any time, so no test compares
 * it exactly. Stryker changes the codes and the other fields of errors.
 */
const messages = {
	shouldIgnore({ node, parent, key, listKey }) {
		const isText = node.type === "StringLiteral" || node.type === "TemplateLiteral";
		const isMessage = listKey === "arguments" && key === 1 && parent.type === "NewExpression";
		if (isText && isMessage && parent.callee.name === "OutlineError") return "It is the message of an error.";
		return undefined;
	},
};

export const strykerPlugins = [{ kind: "Ignore", name: "messages", value: messages }];
