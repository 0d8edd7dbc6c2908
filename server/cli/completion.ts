/** Scripts with which a shell completes commands and options, made from the tree of commands, without starting Node. */
import { Argument, type Command } from "commander";
import { print } from "./command.ts";

/** The possible words after the words of a command. */
interface Place {
  /** The words, e.g. `user create`; empty for the beginning. */
  readonly words: string;
  readonly next: readonly { readonly word: string; readonly meaning: string }[];
}

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

type Shell = keyof typeof SCRIPTS;

export function addCompletionCommand(program: Command): void {
  program
    .command("completion")
    .addArgument(new Argument("<shell>").choices(Object.keys(SCRIPTS)))
    .description("print a script by which a shell completes commands: source <(portolan completion bash)")
    .action((shell: Shell) => print(SCRIPTS[shell](placesOf(program))));
}

function placesOf(command: Command, path: readonly string[] = []): Place[] {
  const next = [
    ...command.commands.map((one) => ({ word: one.name(), meaning: one.description() })),
    ...command.options.map((option) => ({ word: option.long ?? option.flags, meaning: option.description })),
    ...command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices.map((word) => ({ word, meaning: "" }))),
    { word: "--help", meaning: "how it is used" },
  ];
  const inner = command.commands.flatMap((one) => placesOf(one, [...path, one.name()]));
  return [{ words: path.join(" "), next }, ...inner];
}

/** Words that are not commands, such as arguments, do not change the place. */
const WALK = (places: readonly Place[]): string =>
  places.flatMap(({ words }) => (words === "" ? [] : [quote(` ${words}`)])).join("|");

function bashScript(places: readonly Place[]): string {
  const cases = places.map(({ words, next }) => {
    const all = next.map(({ word }) => word).join(" ");
    return `    ${words === "" ? '""' : quote(` ${words}`)}) next="${all}" ;;`;
  });
  return `_portolan() {
  local at= next= i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${WALK(places)}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$next" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _portolan portolan`;
}

function zshScript(places: readonly Place[]): string {
  const cases = places.map(({ words, next }) => {
    const all = next.map(({ word, meaning }) => quote(`${word}:${meaning.replaceAll(":", "\\:")}`)).join(" ");
    return `    ${words === "" ? "''" : quote(` ${words}`)}) next=(${all}) ;;`;
  });
  return `#compdef portolan
_portolan() {
  local at= i
  local -a next
  for ((i = 2; i < CURRENT; i++)); do
    case "$at \${words[i]}" in
      ${WALK(places)}) at="$at \${words[i]}" ;;
    esac
  done
  case "$at" in
${cases.join("\n")}
  esac
  _describe portolan next || _files
}
compdef _portolan portolan`;
}

function fishScript(places: readonly Place[]): string {
  const walk = places.flatMap(({ words }) => (words === "" ? [] : [quote(` ${words}`)])).join(" ");
  const lines = places.flatMap(({ words, next }) =>
    next.map(({ word, meaning }) => {
      const what = word.startsWith("--") ? `-l ${word.slice(2)}` : `-f -a ${word}`;
      const place = words === "" ? "''" : quote(` ${words}`);
      return `complete -c portolan -n ${quote(`test (__portolan_at) = ${place.replaceAll("'", '"')}`)} ${what} -d ${quote(meaning)}`;
    }),
  );
  return `function __portolan_at
  set -l at ''
  for word in (commandline -opc)[2..]
    if contains -- "$at $word" ${walk}
      set at "$at $word"
    end
  end
  echo "$at"
end
${lines.join("\n")}`;
}

/** Quoted as one word of a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "’")}'`;
}
