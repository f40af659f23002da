/** `code`, a module that esbuild made, without those calls of `__name` that give a function the name it has; lines stay. */
export function withoutNaming(code: string): string;
