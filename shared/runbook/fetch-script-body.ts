/**
 * The part of every `NODE.fetch.sh` that is the same: functions of a POSIX shell that check what is there, ask the
 * sources, and with `--go` fetch. Only options that rsync 2.6.9, openrsync and rsync 3 share are used, and nothing that
 * removes, starts or raises rights. A record of the variables is a line, its fields are separated by tabs.
 */
export const FETCH_SCRIPT_BODY = String.raw`
usage() {
  printf '%s\n' "usage: sh $0 [--go]" \
    '  without an option: says what is there, what would be fetched and from where; changes nothing' \
    '  --go: fetches what is missing; run it again after any stop, it resumes' \
    'exit codes: 0 everything is there, 10 work is left, 20 refused, 30 a file failed, 64 usage'
}

say() { printf '%s\n' "$*"; }
warn() { printf '%s\n' "$*" >&2; }
refuse() { warn "refused: $*"; exit 20; }

go=no
case "$#:$*" in
  0:) ;;
  1:--go) go=yes ;;
  1:-h | 1:--help) usage; exit 0 ;;
  *) usage >&2; exit 64 ;;
esac

tab=$(printf '\t')
newline='
'
missing=
sources=
planned=
wrong=0
hub_left=no
needed_bytes=0
left_bytes=0

have() { command -v "$1" >/dev/null 2>&1; }

# One word of the shell on the other side.
quoted() { printf "'"; printf '%s' "$1" | sed "s/'/'\\\\''/g"; printf "'"; }

bytes_of() { wc -c <"$1" | tr -d ' '; }

blake3_of() {
  if have b3sum; then b3sum --no-names -- "$1"
  else lab-planner hash -- "$1" | cut -d ' ' -f 1
  fi
}

sha256_of() {
  if have sha256sum; then sha256sum <"$1" | cut -d ' ' -f 1
  else shasum -a 256 <"$1" | cut -d ' ' -f 1
  fi
}

# Whether a file has these bytes: BLAKE3, or SHA-256 where the name of a blob says it.
has_hash() {
  case "$2" in
    sha256:*) [ "sha256:$(sha256_of "$1")" = "$2" ] ;;
    *) [ "$(blake3_of "$1")" = "$2" ] ;;
  esac
}

# The folder itself, or the nearest one above it that is there.
standing() {
  dir=$1
  while [ ! -d "$dir" ]; do dir=$(dirname "$dir"); done
  printf '%s\n' "$dir"
}

mount_point_of() { df -Pk "$(standing "$1")" | sed -n '2s/^[^%]*% *//p'; }
free_bytes_at() {
  free_kib=$(df -Pk "$(standing "$1")" | sed -n '2{s/ *[0-9][0-9]*% .*$//;s/^.* //;p;}')
  printf '%s\n' "$((free_kib * 1024))"
}

check_here() {
  for tool in ssh rsync df wc sed tr cut dirname mv mkdir sync; do
    have "$tool" || refuse "$tool was not found on $node: install it first"
  done
  if ! have b3sum && ! have lab-planner; then
    refuse "neither b3sum nor lab-planner was found on $node: install one of them to check what arrives"
  fi
  case "$root/" in
    */models--*/* | */huggingface/hub/*) refuse "$root is in a Hugging Face cache: it is for hf download only; name a plain folder" ;;
  esac
  for entry in "$root"/models--*; do
    [ ! -d "$entry/snapshots" ] || refuse "$root is a Hugging Face cache: it is for hf download only; name a plain folder"
  done
  if [ -n "$mount" ]; then
    found=$(mount_point_of "$root")
    [ "$found" = "$mount" ] ||
      refuse "$root is on the volume $found, not on $mount: mount the drive first, else the weights fill another disk"
  fi
}

# model NAME FOLDER: the shards and sources that follow are of this model.
model() {
  model_name=$1
  model_folder=$2
  part_folder=
  missing=
  sources=
}

# source NODE HOST FOLDER...: where the model may lie on that node, likeliest first.
source_at() {
  source_node=$1
  source_host=$2
  shift 2
  for folder do sources="$sources$source_node$tab$source_host$tab$folder$newline"; done
}

# The part of FILE with that HASH, on the same volume.
part_of() { printf '%s/.lab-planner-%s.part\n' "\${3:-$(dirname "$1")}" "\${2#sha256:}"; }

# shard BYTES BLAKE3 PATH: a file that must be here in the end.
shard() {
  shard_bytes=$1
  shard_hash=$2
  file="$model_folder/$3"
  if [ -e "$file" ] || [ -L "$file" ]; then
    if [ -f "$file" ] && [ "$(bytes_of "$file")" = "$shard_bytes" ] && has_hash "$file" "$shard_hash"; then
      say "there:   $file"
    else
      warn "wrong:   $file is there and has other bytes than $model_name: it is left as it is; move it away to fetch the right one"
      wrong=$((wrong + 1))
    fi
    return
  fi
  missing="$missing$shard_bytes$tab$shard_hash$tab$3$newline"
}

# What the sources have of the files that are missing: NODE, HOST, BYTES, PATH in the model, place on the source.
ask_source() {
  ask_node=$1
  ask_host=$2
  {
    say 'has() { if [ -f "$2" ] && [ -r "$2" ]; then printf "lab-planner\t%s\t%s\t%s\n" "$(wc -c <"$2" | tr -d " ")" "$1" "$2"; fi; }'
    printf '%s' "$sources" | while IFS="$tab" read -r a_node _ a_folder; do
      [ "$a_node" = "$ask_node" ] || continue
      printf '%s' "$missing" | while IFS="$tab" read -r _ _ a_path; do
        say "has $(quoted "$a_path") $(quoted "$a_folder/$a_path")"
      done
    done
  } | ssh -o BatchMode=yes -o ConnectTimeout=15 "$ask_host" sh -s |
    sed -n "s/^lab-planner$tab//p" | while IFS="$tab" read -r a_bytes a_path a_place; do
      printf '%s\t%s\t%s\t%s\t%s\n' "$ask_node" "$ask_host" "$a_bytes" "$a_path" "$a_place"
    done
}

# end_model: finds a source for each missing file; nothing is fetched yet.
end_model() {
  [ -n "$missing" ] || return 0
  offers=
  asked=' '
  while IFS="$tab" read -r e_node e_host _; do
    [ -n "$e_node" ] || continue
    case "$asked" in *" $e_node "*) continue ;; esac
    asked="$asked$e_node "
    offers="$offers$(ask_source "$e_node" "$e_host")$newline"
  done <<EOF
$sources
EOF
  while IFS="$tab" read -r e_bytes e_hash e_path; do
    [ -n "$e_path" ] || continue
    file="$model_folder/$e_path"
    ways=
    others=
    while IFS="$tab" read -r o_node o_host o_bytes o_path o_place; do
      [ "$o_path" = "$e_path" ] || continue
      if [ "$o_bytes" = "$e_bytes" ]; then
        ways="$ways$e_bytes$tab$e_hash$tab$o_node$tab$o_host$tab$o_place$tab$file$tab$part_folder$newline"
      else
        others="$others $o_node has $o_bytes bytes;"
      fi
    done <<EOF
$offers
EOF
    if [ -z "$ways" ]; then
      refuse "no source has $e_path of $model_name with $e_bytes bytes:$others asked:$asked"
    fi
    part=$(part_of "$file" "$e_hash" "$part_folder")
    part_bytes=0
    if [ -f "$part" ]; then part_bytes=$(bytes_of "$part"); fi
    left=$((e_bytes - part_bytes))
    [ "$left" -gt 0 ] || left=0
    needed_bytes=$((needed_bytes + left))
    left_bytes=$((left_bytes + e_bytes))
    planned="$planned$ways"
    first=$(printf '%s' "$ways" | sed -n 1p | cut -f 3)
    say "missing: $file ($e_bytes bytes, from $first$([ "$part_bytes" = 0 ] || printf ', %s of them are here' "$part_bytes"))"
  done <<EOF
$missing
EOF
}

# from_hub LINE: no node has these files; LINE is what gets them.
from_hub() {
  [ -n "$missing" ] || return 0
  while IFS="$tab" read -r h_bytes _ h_path; do
    [ -n "$h_path" ] || continue
    say "missing: $model_folder/$h_path ($h_bytes bytes, no node has it)"
  done <<EOF
$missing
EOF
  say "         get it with: $1"
  hub_left=yes
}

lock="$root/.lab-planner-fetch.lock"

# A folder is made or not made, never both: of two runs one gets it. One that a killed run left is taken over.
take_lock() {
  mkdir -p "$root" || refuse "$root cannot be made: give this account the right to write there"
  if ! mkdir "$lock" 2>/dev/null; then
    for mark in "$lock"/pid.*; do
      [ -d "$mark" ] || continue
      pid=\${mark##*.}
      if kill -0 "$pid" 2>/dev/null; then
        refuse "another fetch into $root is running (process $pid)"
      fi
      rmdir "$mark" 2>/dev/null
    done
    rmdir "$lock" 2>/dev/null
    mkdir "$lock" 2>/dev/null || refuse "another fetch into $root has just begun, or $root cannot be written to"
  fi
  mkdir "$lock/pid.$$" 2>/dev/null || refuse "another fetch into $root has just begun"
  trap 'rmdir "$lock/pid.$$" "$lock" 2>/dev/null' EXIT
  trap stop HUP INT TERM
}

# A drive can go while its files are fetched. What is in its place then is another disk, and has no lock of ours.
still_here() {
  [ -d "$lock/pid.$$" ] ||
    refuse "$root went away meanwhile: mount its volume again, then run this again; what was fetched is kept there"
}

# rsync outlives a killed shell: while it writes, its own mark keeps the next run away from the part.
receiver=
receive() {
  RSYNC_OLD_ARGS=1 rsync -L --partial --inplace -e 'ssh -o BatchMode=yes -o ConnectTimeout=15' \
    "$1:$(quoted "$2")" "$3" </dev/null &
  receiver=$!
  mkdir "$lock/pid.$receiver" 2>/dev/null
  wait "$receiver"
  received=$?
  rmdir "$lock/pid.$receiver" 2>/dev/null
  receiver=
  return "$received"
}

stop() {
  if [ -n "$receiver" ]; then
    kill "$receiver" 2>/dev/null
    wait "$receiver" 2>/dev/null
    rmdir "$lock/pid.$receiver" 2>/dev/null
  fi
  exit 10
}

# The hash that a source gives of its own file; nothing where it has no tool for it. A rotten file is not worth its transfer.
hash_there() {
  case "$3" in
    sha256:*) say "if command -v sha256sum >/dev/null; then printf 'lab-planner\tsha256:'; sha256sum <$(quoted "$2"); fi" ;;
    *) say "if command -v b3sum >/dev/null; then printf 'lab-planner\t'; b3sum --no-names -- $(quoted "$2"); fi" ;;
  esac | ssh -o BatchMode=yes -o ConnectTimeout=15 "$1" sh -s | sed -n "s/^lab-planner$tab//p" | cut -d ' ' -f 1
}

# Fetches one file into its part from one source, checks it, and only then gives it its name.
fetch_from() {
  f_bytes=$1 f_hash=$2 f_node=$3 f_host=$4 f_place=$5 f_file=$6 f_folder=$7
  f_part=$(part_of "$f_file" "$f_hash" "$f_folder")
  still_here
  mkdir -p "$(dirname "$f_file")" || return 1
  if [ -f "$f_part" ] && [ "$(bytes_of "$f_part")" = "$f_bytes" ] && has_hash "$f_part" "$f_hash"; then
    say "checked: the part of $f_file is whole"
  else
    say "fetch:   $f_file from $f_node"
    if [ -f "$f_part" ]; then
      # A part must not look unchanged to rsync: it compares times and sizes first.
      touch "$f_part"
    else
      f_there=$(hash_there "$f_host" "$f_place" "$f_hash")
      if [ -n "$f_there" ] && [ "$f_there" != "$f_hash" ]; then
        warn "wrong:   $f_node has other bytes than the manifest of $f_file: check the disk there with lab-planner scan models --verify"
        return 1
      fi
    fi
    if ! receive "$f_host" "$f_place" "$f_part"; then
      still_here
      warn "stopped: $f_node did not send all of $f_file"
      return 1
    fi
    if [ "$(bytes_of "$f_part")" != "$f_bytes" ]; then
      warn "wrong:   $f_node sent $(bytes_of "$f_part") bytes for $f_file, not $f_bytes"
      return 1
    fi
    if ! has_hash "$f_part" "$f_hash"; then
      warn "wrong:   $f_node has other bytes than the manifest of $f_file: check the disk there with lab-planner scan models --verify"
      return 1
    fi
  fi
  sync
  still_here
  if [ -e "$f_file" ] || [ -L "$f_file" ]; then
    warn "wrong:   $f_file appeared meanwhile: it is left as it is, and the fetched one stays in $f_part"
    return 2
  fi
  mv -n "$f_part" "$f_file"
  if [ -e "$f_part" ] || [ ! -f "$f_file" ]; then
    warn "wrong:   $f_file appeared meanwhile: it is left as it is, and the fetched one stays in $f_part"
    return 2
  fi
  say "done:    $f_file"
}

fetch_all() {
  failed=0
  done_file=
  given_up=
  last_file=
  while IFS="$tab" read -r p_bytes p_hash p_node p_host p_place p_file p_folder; do
    [ -n "$p_file" ] || continue
    if [ "$p_file" != "$last_file" ]; then
      if [ -n "$last_file" ] && [ "$done_file" != "$last_file" ]; then failed=$((failed + 1)); fi
      last_file=$p_file
    fi
    [ "$p_file" != "$done_file" ] || continue
    [ "$p_file" != "$given_up" ] || continue
    # An Ollama manifest comes last: it must not name blobs that are not there.
    if [ -n "$p_folder" ] && [ "$failed" != 0 ] && [ "$p_file" != "\${p_file#"$p_folder"/manifests/}" ]; then
      given_up=$p_file
      warn "left:    $p_file waits until all its blobs are there"
      continue
    fi
    fetch_from "$p_bytes" "$p_hash" "$p_node" "$p_host" "$p_place" "$p_file" "$p_folder"
    case $? in
      0) done_file=$p_file ;;
      2) given_up=$p_file ;;
    esac
  done <<EOF
$planned
EOF
  if [ -n "$last_file" ] && [ "$done_file" != "$last_file" ]; then failed=$((failed + 1)); fi
  [ "$failed" = 0 ] || { warn "$failed of the missing files failed"; exit 30; }
}

finish() {
  if [ -n "$planned" ]; then
    free=$(free_bytes_at "$root")
    if [ "$free" -lt "$((needed_bytes + headroom_bytes))" ]; then
      refuse "$root has $free bytes free; $needed_bytes to fetch and $headroom_bytes of headroom are needed"
    fi
    if [ "$go" = no ]; then
      say "$needed_bytes bytes would be fetched. Nothing was changed: run it with --go to fetch."
      exit 10
    fi
    fetch_all
  fi
  [ "$wrong" = 0 ] || { warn "$wrong files have other bytes and were left as they are"; exit 30; }
  if [ "$hub_left" = yes ]; then
    warn 'files that no node has are left: run the lines above, then this script again to check them'
    exit 10
  fi
  say "everything is there on $node"
  exit 0
}
`.replaceAll('\\${', '${')
