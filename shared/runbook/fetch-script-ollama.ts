/**
 * What a `NODE.fetch.sh` has besides where models of an Ollama store are fetched to the node. A store names every blob by its
 * SHA-256; a manifest names the blobs. At its start Ollama removes what has another name in its blobs folder, so parts
 * lie beside that folder.
 */
export const FETCH_SCRIPT_OLLAMA = String.raw`
# Of the folders given, the Ollama store.
ollama_store() {
  for store do
    if [ -d "$store/blobs" ] && [ -d "$store/manifests" ]; then
      printf '%s\n' "$store"
      return
    fi
  done
}

# ollama_model NAME FOLDER...: what follows is of this model, in the first of the folders that is an Ollama store.
ollama_model() {
  ollama_name=$1
  shift
  store=$(ollama_store "$@")
  [ -n "$store" ] || refuse "no Ollama store (a folder with blobs and manifests) was found on $node in: $*"
  [ "$(mount_point_of "$store")" = "$(mount_point_of "$root")" ] ||
    refuse "the Ollama store $store is on another volume than $root: list it first under root in fleet.yaml"
  model "$ollama_name" "$store"
  declared=
  part_folder=$store
}

# blob BYTES BLAKE3 SHA256: a blob that the plan knows.
blob() {
  declared="$declared$tab$3"
  shard "$1" "$2" "blobs/sha256-$3"
}

# ollama_tag PATH: the manifest at manifests/PATH and what it names. The blobs come first, the manifest last.
ollama_tag() {
  tag_path="manifests/$1"
  tag_text=
  while IFS="$tab" read -r _ o_host o_folder; do
    [ -n "$o_host" ] || continue
    [ -z "$tag_text" ] || continue
    # The dot keeps line breaks at the end, which are part of the file.
    tag_text=$(say "head -c 1048576 $(quoted "$o_folder/$tag_path") 2>/dev/null; printf ." |
      ssh -o BatchMode=yes -o ConnectTimeout=15 "$o_host" sh -s)
    tag_text=\${tag_text%.}
  done <<EOF
$sources
EOF
  [ -n "$tag_text" ] || refuse "no source has the Ollama manifest $tag_path"
  while IFS="$tab" read -r b_bytes b_hash; do
    [ -n "$b_hash" ] || continue
    case "$tab$declared$tab" in *"$tab$b_hash$tab"*) continue ;; esac
    shard "$b_bytes" "sha256:$b_hash" "blobs/sha256-$b_hash"
  done <<EOF
$(printf '%s' "$tag_text" | tr -d ' \t\r\n' | tr '{' '\n' | tr '}' '\n' |
    sed -n 's/^.*"digest":"sha256:\([0-9a-f]\{64\}\)".*"size":\([0-9][0-9]*\).*$/\2	\1/p
s/^.*"size":\([0-9][0-9]*\).*"digest":"sha256:\([0-9a-f]\{64\}\)".*$/\1	\2/p')
EOF
  tag_bytes=$(printf '%s' "$tag_text" | wc -c | tr -d ' ')
  if have sha256sum; then tag_hash=$(printf '%s' "$tag_text" | sha256sum | cut -d ' ' -f 1)
  else tag_hash=$(printf '%s' "$tag_text" | shasum -a 256 | cut -d ' ' -f 1)
  fi
  shard "$tag_bytes" "sha256:$tag_hash" "$tag_path"
}
`.replaceAll('\\${', '${')
