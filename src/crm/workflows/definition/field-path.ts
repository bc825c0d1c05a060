/** Field paths of a definition, such as `nodes.greet.channel_id`, in words. */

/** `The entry field`, `The node "greet"`, `The channel_id field of the node "greet"`. */
export function subjectOf(place: string): string {
  const [first, id, ...field] = place.split(".");
  if (first !== "nodes" || id === undefined) return `The ${place} field`;
  return field.length === 0 ? `The node "${id}"` : `The ${field.join(".")} field of the node "${id}"`;
}
