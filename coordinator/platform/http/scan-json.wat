;; One pass over the bytes of a JSON text, before the parse. It finds what JSON.parse would get wrong or let through,
;; and stops at more than is allowed. It does not check the syntax: what it finds in text that is not JSON means
;; nothing, and the parse refuses that. WebAssembly, because it can look at 16 bytes at a time: JSON.parse is native,
;; and a loop of JavaScript over the same bytes costs as much again.
;; scan-json.wasm is this file assembled: UPDATE_GOLDEN=1 on scan-json-wasm.test.ts, which compares them, assembles it.
;; Memory:
;;      0  levels, 16 bytes each: object or not, commas that may still come, where the present name begins and ends
;;   1536  the name that is looked for
;;   2048  the text, then 32 quotes: every search below stops at a quote, so none of them asks for the end
;;         places: begin and end of each long integer, a word each, counted from the first byte of the text
;;         the text with quotes around the long integers
;; 32 MiB hold a text of 12 MiB in the worst case; no body may be larger than 8 MiB.
(module
  (memory (export "memory") 1 512)
  (data (i32.const 1536) "__proto__")
  ;; Where the scan is, kept between two events. A level is 16 * depth.
  (global $at (mut i32) (i32.const 0)) (global $end (mut i32) (i32.const 0))
  (global $level (export "level") (mut i32) (i32.const 0))
  (global $in_object (mut i32) (i32.const 0)) (global $name_next (mut i32) (i32.const 0))
  ;; Commas and brackets that may still come, in all and in the present container; what every container may have, and
  ;; a text with its quotes.
  (global $left (mut i32) (i32.const 0)) (global $room (mut i32) (i32.const 0))
  (global $rooms (mut i32) (i32.const 0)) (global $longest (mut i32) (i32.const 0))
  (global $places_from (export "placesFrom") (mut i32) (i32.const 0))
  (global $places_end (export "placesEnd") (mut i32) (i32.const 0))
  ;; 1 from a string with NUL or half a surrogate pair on, 2 and 3 once it is reported.
  (global $bad (mut i32) (i32.const 0))
  ;; Before the first scan() of a text, which is in memory already.
  (func (export "begin") (param $length i32) (param $left i32) (param $room i32) (param $longest i32)
    (local $end i32) (local.set $end (i32.add (i32.const 2048) (local.get $length)))
    (v128.store (local.get $end) (i8x16.splat (i32.const 34)))
    (v128.store offset=16 (local.get $end) (i8x16.splat (i32.const 34)))
    (global.set $at (i32.const 2048)) (global.set $end (local.get $end))
    (global.set $level (i32.const 0)) (global.set $in_object (i32.const 0)) (global.set $name_next (i32.const 0))
    (global.set $left (local.get $left)) (global.set $room (local.get $room)) (global.set $rooms (local.get $room))
    (global.set $longest (local.get $longest)) (global.set $bad (i32.const 0))
    (global.set $places_from (i32.and (i32.add (local.get $end) (i32.const 35)) (i32.const -4)))
    (global.set $places_end (global.get $places_from)))
  ;; Goes on to the next event; scan-json.ts has the same numbers: 0 the end, 1 bad text, 2 bad text in a name,
  ;; 3 a name is __proto__, 4 too many values, 5 too many entries, 6 too long a text, 7 too deep,
  ;; 8 the end, and there are long integers.
  (func (export "scan") (result i32)
    (local $at i32) (local $end i32) (local $level i32) (local $in_object i32) (local $name_next i32)
    (local $left i32) (local $room i32) (local $byte i32) (local $from i32) (local $event i32)
    (local.set $at (global.get $at)) (local.set $end (global.get $end)) (local.set $level (global.get $level))
    (local.set $in_object (global.get $in_object)) (local.set $name_next (global.get $name_next))
    (local.set $left (global.get $left)) (local.set $room (global.get $room))
    (block $stop
      (loop $next
        (if (i32.ge_u (local.get $at) (local.get $end)) (then
          (local.set $event (i32.shl (i32.ne (global.get $places_from) (global.get $places_end)) (i32.const 3)))
          (br $stop)))
        (local.set $byte (i32.load8_u (local.get $at))) (local.set $from (local.get $at))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (if (i32.eq (local.get $byte) (i32.const 34)) (then ;; a quote
          (local.set $at (call $string_end (local.get $at)))
          (local.set $event (i32.const 6))
          (br_if $stop (i32.gt_u (i32.sub (local.get $at) (local.get $from)) (global.get $longest)))
          (local.set $event (i32.const 1))
          (if (local.get $name_next) (then
            (local.set $name_next (i32.const 0))
            (i32.store offset=8 (local.get $level) (local.get $from))
            (i32.store offset=12 (local.get $level) (local.get $at))
            (if (i32.ge_u (i32.sub (local.get $at) (local.get $from)) (i32.const 11)) (then
              (local.set $event (i32.const 3))
              (br_if $stop (call $is_proto
                (i32.add (local.get $from) (i32.const 1)) (i32.sub (local.get $at) (i32.const 1))))))
            (local.set $event (i32.const 2))))
          (br_if $next (i32.ne (global.get $bad) (i32.const 1)))
          (global.set $bad (i32.const 2))
          (br $stop)))
        (if (i32.eq (local.get $byte) (i32.const 44)) (then ;; a comma
          (local.set $name_next (local.get $in_object))
          (local.set $event (i32.const 4))
          (br_if $stop (i32.lt_s (local.tee $left (i32.sub (local.get $left) (i32.const 1))) (i32.const 0)))
          (local.set $event (i32.const 5))
          (br_if $stop (i32.lt_s (local.tee $room (i32.sub (local.get $room) (i32.const 1))) (i32.const 0)))
          (br $next)))
        (if (i32.or (i32.lt_u (i32.sub (local.get $byte) (i32.const 48)) (i32.const 10)) ;; a digit or a minus
                    (i32.eq (local.get $byte) (i32.const 45))) (then
          (local.set $at (call $number_end (local.get $at)))
          (br_if $next (i32.lt_u (i32.sub (local.get $at) (local.get $from)) (i32.const 16)))
          (br_if $next (local.get $name_next)) ;; quoted, it would become a name
          (br_if $next (i32.eqz (call $is_long (local.get $from) (local.get $at))))
          (i32.store (global.get $places_end) (i32.sub (local.get $from) (i32.const 2048)))
          (i32.store offset=4 (global.get $places_end) (i32.sub (local.get $at) (i32.const 2048)))
          (global.set $places_end (i32.add (global.get $places_end) (i32.const 8)))
          (br $next)))
        (br_if $next (i32.eq (local.get $byte) (i32.const 58))) ;; a colon: the most frequent of the rest
        (if (i32.eq (i32.or (local.get $byte) (i32.const 32)) (i32.const 123)) (then ;; [ is 91, { is 123
          (i32.store offset=4 (local.get $level) (local.get $room))
          (local.set $level (i32.add (local.get $level) (i32.const 16)))
          (local.set $event (i32.const 7))
          (br_if $stop (i32.gt_u (local.get $level) (i32.const 1024))) ;; MAX_DEPTH of json-bounds.ts
          (local.set $event (i32.const 4))
          (br_if $stop (i32.lt_s (local.tee $left (i32.sub (local.get $left) (i32.const 1))) (i32.const 0)))
          (local.set $room (global.get $rooms))
          (local.set $in_object (i32.eq (local.get $byte) (i32.const 123)))
          (local.set $name_next (local.get $in_object))
          (i32.store (local.get $level) (local.get $in_object))
          (br $next)))
        (if (i32.eq (i32.or (local.get $byte) (i32.const 32)) (i32.const 125)) (then ;; ] is 93, } is 125
          (local.set $name_next (i32.const 0))
          (br_if $next (i32.eqz (local.get $level)))
          (local.set $level (i32.sub (local.get $level) (i32.const 16)))
          (local.set $room (i32.load offset=4 (local.get $level)))
          (local.set $in_object (i32.load (local.get $level)))
          (br $next)))
        (if (i32.le_u (local.get $byte) (i32.const 32))
          (then (local.set $at (call $space_end (local.get $at))) (br $next)))
        ;; true and null (t is 116, n is 110), false (f is 102), or anything that JSON does not have
        (local.set $at (i32.add (local.get $at) (select
          (i32.const 3) (i32.shl (i32.eq (local.get $byte) (i32.const 102)) (i32.const 2))
          (i32.or (i32.eq (local.get $byte) (i32.const 116)) (i32.eq (local.get $byte) (i32.const 110))))))
        (br $next)))
    (i32.store offset=4 (local.get $level) (local.get $room))
    (global.set $at (local.get $at)) (global.set $level (local.get $level))
    (global.set $in_object (local.get $in_object)) (global.set $name_next (local.get $name_next))
    (global.set $left (local.get $left)) (global.set $room (local.get $room))
    (local.get $event))
  ;; Behind the quote that ends the string which has its first character here.
  (func $string_end (param $at i32) (result i32)
    (local $bytes v128) (local $stops i32)
    (loop $run
      (local.set $bytes (v128.load (local.get $at)))
      (local.set $stops (i8x16.bitmask (v128.or
        (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 34)))
        (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 92))))))
      (if (i32.eqz (local.get $stops)) (then (local.set $at (i32.add (local.get $at) (i32.const 16))) (br $run)))
      (local.set $at (i32.add (local.get $at) (i32.ctz (local.get $stops))))
      (if (i32.ne (i32.load8_u (local.get $at)) (i32.const 34)) (then
        (loop $escape
          (if (i32.eq (i32.load8_u offset=1 (local.get $at)) (i32.const 117)) ;; u
            (then (local.set $at (call $unicode_end (local.get $at))))
            (else (local.set $at (i32.add (local.get $at) (i32.const 2)))))
          (br_if $escape (i32.eq (i32.load8_u (local.get $at)) (i32.const 92))))
        (br $run))))
    (i32.add (local.get $at) (i32.const 1)))
  ;; Behind \uXXXX, or behind the pair that it begins. 0x755c is \u; -1024 and -2048 leave out the low 10 and 11 bits.
  (func $unicode_end (param $at i32) (result i32)
    (local $unit i32) (local.set $unit (call $hex (i32.add (local.get $at) (i32.const 2))))
    (if (i32.and (i32.eq (i32.and (local.get $unit) (i32.const -1024)) (i32.const 0xd800))
                 (i32.eq (i32.load16_u offset=6 (local.get $at)) (i32.const 0x755c))) (then
      (if (i32.eq (i32.and (call $hex (i32.add (local.get $at) (i32.const 8))) (i32.const -1024)) (i32.const 0xdc00))
        (then (return (i32.add (local.get $at) (i32.const 12)))))))
    (if (i32.or (i32.eqz (local.get $unit))
                (i32.eq (i32.and (local.get $unit) (i32.const -2048)) (i32.const 0xd800)))
      (then (global.set $bad (i32.or (global.get $bad) (i32.const 1)))))
    (i32.add (local.get $at) (i32.const 6)))
  ;; Four hex digits; negative if they are not, which the parse refuses.
  (func $hex (param $at i32) (result i32)
    (i32.or
      (i32.or (i32.shl (call $hex_digit (i32.load8_u (local.get $at))) (i32.const 12))
              (i32.shl (call $hex_digit (i32.load8_u offset=1 (local.get $at))) (i32.const 8)))
      (i32.or (i32.shl (call $hex_digit (i32.load8_u offset=2 (local.get $at))) (i32.const 4))
              (call $hex_digit (i32.load8_u offset=3 (local.get $at))))))
  (func $hex_digit (param $byte i32) (result i32)
    (local $digit i32)
    (if (i32.lt_u (local.tee $digit (i32.sub (local.get $byte) (i32.const 48))) (i32.const 10))
      (then (return (local.get $digit))))
    (local.set $digit (i32.sub (i32.or (local.get $byte) (i32.const 32)) (i32.const 97)))
    (select (i32.add (local.get $digit) (i32.const 10)) (i32.const -1) (i32.lt_u (local.get $digit) (i32.const 6))))
  ;; Whether the bytes spell __proto__, with or without escapes.
  (func $is_proto (param $at i32) (param $end i32) (result i32)
    (local $wanted i32) (local $byte i32) (local.set $wanted (i32.const 1536))
    (loop $letter
      (local.set $byte (i32.load8_u (local.get $wanted)))
      (if (i32.ne (i32.load8_u (local.get $at)) (local.get $byte)) (then
        (if (i32.or (i32.ne (i32.load16_u (local.get $at)) (i32.const 0x755c))
                    (i32.ne (call $hex (i32.add (local.get $at) (i32.const 2))) (local.get $byte)))
          (then (return (i32.const 0))))
        (local.set $at (i32.add (local.get $at) (i32.const 5)))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (local.set $wanted (i32.add (local.get $wanted) (i32.const 1)))
      (br_if $letter (i32.lt_u (local.get $wanted) (i32.const 1545))))
    (i32.eq (local.get $at) (local.get $end)))
  ;; Behind the number: bytes from plus (43) to nine without the comma, and e (101). Most end within the first four.
  (func $number_end (param $at i32) (result i32)
    (local $near i32) (local $byte i32) (local $bytes v128) (local $stops i32)
    (local.set $near (i32.add (local.get $at) (i32.const 4)))
    (loop $single
      (local.set $byte (i32.sub (i32.load8_u (local.get $at)) (i32.const 43)))
      (if (i32.or (i32.gt_u (local.get $byte) (i32.const 14)) (i32.eq (local.get $byte) (i32.const 1))) (then
        (if (i32.ne (i32.or (i32.load8_u (local.get $at)) (i32.const 32)) (i32.const 101))
          (then (return (local.get $at))))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $single (i32.lt_u (local.get $at) (local.get $near))))
    (loop $run
      (local.set $bytes (v128.load (local.get $at)))
      (local.set $stops (i32.xor (i32.const 0xffff) (i8x16.bitmask (v128.or
        (v128.andnot
          (i8x16.le_u (i8x16.sub (local.get $bytes) (i8x16.splat (i32.const 43))) (i8x16.splat (i32.const 14)))
          (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 44))))
        (i8x16.eq (v128.or (local.get $bytes) (i8x16.splat (i32.const 32))) (i8x16.splat (i32.const 101)))))))
      (if (i32.eqz (local.get $stops)) (then (local.set $at (i32.add (local.get $at) (i32.const 16))) (br $run))))
    (i32.add (local.get $at) (i32.ctz (local.get $stops))))
  ;; An integer beyond 9007199254740991. A zero (48) in front is no number in JSON; the parse refuses it. Behind fewer
  ;; than 16 digits stands something else, so that not all of 16 bytes are digits.
  (func $is_long (param $at i32) (param $end i32) (result i32)
    (local $digits i32)
    (local.set $at (i32.add (local.get $at) (i32.eq (i32.load8_u (local.get $at)) (i32.const 45))))
    (local.set $digits (i32.sub (local.get $end) (local.get $at)))
    (if (i32.or (i32.eq (i32.load8_u (local.get $at)) (i32.const 48)) (i32.eqz (call $all_digits (local.get $at))))
      (then (return (i32.const 0))))
    (if (i32.eq (local.get $digits) (i32.const 16)) (then (return (call $is_larger (v128.load (local.get $at))))))
    (loop $run
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (if (i32.gt_u (i32.add (local.get $at) (i32.const 16)) (local.get $end)) ;; the last 16, some a second time
        (then (return (call $all_digits (i32.sub (local.get $end) (i32.const 16))))))
      (br_if $run (call $all_digits (local.get $at))))
    (i32.const 0))
  (func $all_digits (param $at i32) (result i32)
    (i8x16.all_true
      (i8x16.lt_u (i8x16.sub (v128.load (local.get $at)) (i8x16.splat (i32.const 48))) (i8x16.splat (i32.const 10)))))
  ;; 16 digits against those of the largest integer: the first that differs decides.
  (func $is_larger (param $bytes v128) (result i32)
    (local $largest v128)
    (local.set $largest (v128.const i8x16 57 48 48 55 49 57 57 50 53 52 55 52 48 57 57 49))
    (i32.and (i32.const 1) (i32.shr_u
      (i8x16.bitmask (i8x16.gt_u (local.get $bytes) (local.get $largest)))
      (i32.ctz (i8x16.bitmask (i8x16.ne (local.get $bytes) (local.get $largest)))))))
  ;; Behind the white space; often it is one space. Bytes above 127 are negative and pass; the parse refuses them.
  (func $space_end (param $at i32) (result i32)
    (local $stops i32)
    (if (i32.gt_u (i32.load8_u (local.get $at)) (i32.const 32)) (then (return (local.get $at))))
    (loop $run
      (local.set $stops (i8x16.bitmask (i8x16.gt_s (v128.load (local.get $at)) (i8x16.splat (i32.const 32)))))
      (if (i32.eqz (local.get $stops)) (then (local.set $at (i32.add (local.get $at) (i32.const 16))) (br $run))))
    (i32.add (local.get $at) (i32.ctz (local.get $stops))))
  ;; Writes the text with quotes around each long integer behind the places, and returns where it ends. Each piece is
  ;; copied 16 bytes at a time; the next overwrites what is too much.
  (func (export "quote") (result i32)
    (local $place i32) (local $read i32) (local $write i32) (local $to i32) (local $behind i32)
    (local.set $read (i32.const 2048)) (local.set $place (global.get $places_from))
    (local.set $write (global.get $places_end))
    (loop $piece
      (local.set $to (select
        (i32.add (i32.const 2048) (i32.load (local.get $place))) (global.get $end)
        (i32.lt_u (local.get $place) (global.get $places_end))))
      (local.set $behind (i32.add (local.get $write) (i32.sub (local.get $to) (local.get $read))))
      (loop $copy
        (v128.store (local.get $write) (v128.load (local.get $read)))
        (local.set $write (i32.add (local.get $write) (i32.const 16)))
        (local.set $read (i32.add (local.get $read) (i32.const 16)))
        (br_if $copy (i32.lt_u (local.get $read) (local.get $to))))
      (i32.store8 (local.get $behind) (i32.const 34))
      (local.set $write (i32.add (local.get $behind) (i32.const 1))) (local.set $read (local.get $to))
      (local.set $place (i32.add (local.get $place) (i32.const 4)))
      (br_if $piece (i32.le_u (local.get $place) (global.get $places_end))))
    (local.get $behind)))
