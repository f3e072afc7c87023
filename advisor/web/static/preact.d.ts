// What the scripts of the page use of preact.js, for checks of their types.

type Description = object;
type Part = Description | string | number | boolean | null | undefined | Part[];

export function h(kind: string | Function, attributes?: Record<string, any> | null, ...children: Part[]): Description;
export function render(description: Part, place: Element | DocumentFragment): void;
export function isValidElement(value: unknown): boolean;
export const Fragment: Function;
export class Component {
  constructor(props?: any);
  props: any;
  state: any;
  base: any;
  setState(change: object): void;
  forceUpdate(): void;
  render(props: any, state: any): Part;
}
