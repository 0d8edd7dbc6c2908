/** Character by character, as PostgreSQL does: none becomes two. */
export function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  if (/^[\x00-\x7f]*$/.test(text)) return lower;
  return Array.from(text, (character) => {
    const small = character.toLowerCase();
    return small.length === character.length ? small : character;
  }).join("");
}
