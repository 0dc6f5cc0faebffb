import { Component, type ReactNode } from "react";

interface Props {
	readonly children: ReactNode;
}

interface State {
	readonly error: Error | null;
}

/** Shows an error in place of its children, until the user tries again. */
export class Boundary extends Component<Props, State> {
	override readonly state: State = { error: null };

	static getDerivedStateFromError(error: Error): State {
		return { error };
	}

	override render(): ReactNode {
		const { error } = this.state;
		if (error === null) return this.props.children;
		return (
			<div role="alert">
				<p>{error.message}</p>
				<button type="button" onClick={() => this.setState({ error: null })}>
					Try again
				</button>
			</div>
		);
	}
}
